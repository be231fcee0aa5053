// Questions about the screen that components ask, as hooks.
import { useSyncExternalStore } from "react";

/** As in the style sheets: below this width the page shows one thing at a time. */
export const PHONE = "(max-width: 700px)";

export function useMedia(query: string): boolean {
  const media = matchMedia(query);
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => media.matches,
  );
}

export const useIsPhone = (): boolean => useMedia(PHONE);

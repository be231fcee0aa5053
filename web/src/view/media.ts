// Questions about the screen that components ask, as hooks.
import { useSyncExternalStore } from "react";

/** As in the style sheets: up to this width, which is that of a window of 1440 pixels at 200 % and more, the page shows one thing at a time. */
export const PHONE = "(max-width: 820px)";

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

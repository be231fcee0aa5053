// The room that a phone's keyboard takes. The page isn't made smaller by it, or
// the agent would have to draw everything again each time it comes and goes;
// instead the session is moved up, and what is at its bottom stays in sight.
import { useEffect, type RefObject } from "react";

/** How far the lower edge of the visible part is above that of the page. */
export function hiddenBelow(pageHeight: number, visible: { height: number; offsetTop: number; scale: number }): number {
  // A page that was zoomed into shows less of itself, too.
  if (visible.scale > 1.01) return 0;
  return Math.max(0, Math.round(pageHeight - visible.height - visible.offsetTop));
}

/** Keeps `--keyboard` of the element at the height of the keyboard. */
export function useKeyboardRoom(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const visible = window.visualViewport;
    if (visible === null) return;
    const measure = (): void => element.current?.style.setProperty("--keyboard", `${hiddenBelow(window.innerHeight, visible)}px`);
    measure();
    visible.addEventListener("resize", measure);
    visible.addEventListener("scroll", measure);
    return () => {
      visible.removeEventListener("resize", measure);
      visible.removeEventListener("scroll", measure);
    };
  }, [element]);
}

// The room that a phone's keyboard takes. The page isn't made smaller by it, or
// the agent would have to draw everything again each time it comes and goes;
// instead the session is moved up, and what is at its bottom stays in sight.
// Most browsers lay the keyboard over the page; in some it takes from the page's
// height, and then the session keeps the height that it had.
import { useEffect, type RefObject } from "react";

export interface Room {
  width: number;
  /** The page's height without a keyboard. */
  whole: number;
}

// Keyboards are 200 px high and more; a bar of the browser that comes or goes, to
// which the page has to be fitted, is less than 100.
const KEYBOARD_PX = 140;

/** What the page's height is without a keyboard, given what it was. `typing`: a field has the focus, on a touch screen. */
export function roomOf(before: Room | null, now: { width: number; height: number }, typing: boolean): Room {
  const isKeyboard = before !== null && typing && before.width === now.width && before.whole - now.height > KEYBOARD_PX;
  return { width: now.width, whole: isKeyboard ? before.whole : now.height };
}

/** How far the lower edge of the visible part is above that of the page. */
export function hiddenBelow(pageHeight: number, visible: { height: number; offsetTop: number; scale: number }): number {
  // A page that was zoomed into shows less of itself, too.
  if (visible.scale > 1.01) return 0;
  return Math.max(0, Math.round(pageHeight - visible.height - visible.offsetTop));
}

/** Keeps `--keyboard` of the element at the height of the keyboard, and `--whole` at that of the page without it. */
export function useKeyboardRoom(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const visible = window.visualViewport;
    if (visible === null) return;
    let room: Room | null = null;
    const measure = (): void => {
      const { innerWidth: width, innerHeight: height } = window;
      room = roomOf(room, { width, height }, isTyping());
      const style = element.current?.style;
      style?.setProperty("--whole", room.whole > height ? `${room.whole}px` : "100%");
      style?.setProperty("--keyboard", `${hiddenBelow(room.whole, visible)}px`);
    };
    measure();
    visible.addEventListener("resize", measure);
    visible.addEventListener("scroll", measure);
    window.addEventListener("resize", measure);
    return () => {
      visible.removeEventListener("resize", measure);
      visible.removeEventListener("scroll", measure);
      window.removeEventListener("resize", measure);
    };
  }, [element]);
}

const isTyping = (): boolean => matchMedia("(pointer: coarse)").matches && document.activeElement?.matches("input, textarea") === true;

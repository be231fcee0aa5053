// A dialog over the page, open for as long as its component is there.
import { useEffect, useRef, type MouseEvent } from "react";

/**
 * `close` is for whatever ends it, `props` are for its `<dialog>`. Its own `close` event
 * comes in a later task, by when it may be wanted again, so its end is told at once.
 */
export function useModal(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => {
    dialog.current?.close();
    onClose();
  };
  const press = (event: MouseEvent): void => {
    const box = dialog.current?.getBoundingClientRect();
    if (event.target !== dialog.current || box === undefined) return;
    const isInside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!isInside) close();
  };
  return { close, props: { ref: dialog, onCancel: close, onClose, onClick: press } };
}

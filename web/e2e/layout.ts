// Whether a page is laid out well, as far as a machine can tell.

/**
 * What is cut off without saying the rest in a title, controls that lie partly
 * over each other, and controls that reach over the edge. Runs in the page.
 */
export function untidy(): string[] {
  const nameOf = (element: Element): string => `${element.tagName.toLowerCase()}.${element.className} “${(element.getAttribute("aria-label") ?? element.textContent).slice(0, 40)}”`;
  const isSeen = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) && element.closest(".xterm, .unseen") === null;
  // What lies over everything is looked at alone, as people do.
  const top = document.querySelector("dialog[open]") ?? document.querySelector(".panel") ?? document.body;

  const cut = [...top.querySelectorAll<HTMLElement>("*")].filter((element) => {
    const { textOverflow } = getComputedStyle(element);
    if (textOverflow !== "ellipsis" || element.scrollWidth <= element.clientWidth || !isSeen(element)) return false;
    return element.closest("[title]") === null && element.querySelector("[title]") === null && element.tagName !== "TEXTAREA";
  });

  // What is scrolled out of sight is neither seen nor in the way.
  const shownOf = (element: Element): DOMRect | null => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflow === "visible") continue;
      const box = around.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
  };
  // One that is wholly behind another is put away, as a field behind the choices of a dialog.
  const isBehind = (element: Element, { x, y, width, height }: DOMRect): boolean => {
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== null && !element.contains(hit) && hit.closest("label")?.contains(element) !== true;
  };
  const controls = [...top.querySelectorAll("a, button, input, textarea, select, summary")].filter(isSeen).flatMap((element) => {
    const box = shownOf(element);
    return box === null || isBehind(element, box) ? [] : [{ element, box }];
  });
  const over = controls.filter(({ box }) => box.left < -1 || box.right > innerWidth + 1);
  const isSticky = (element: Element): boolean => element.closest(".save, .spawn footer") !== null;
  const meet = controls.flatMap(({ element, box }, at) =>
    controls.slice(at + 1).filter(({ element: other, box: another }) => {
      const width = Math.min(box.right, another.right) - Math.max(box.left, another.left);
      const height = Math.min(box.bottom, another.bottom) - Math.max(box.top, another.top);
      // A bar that stays in sight lies over what is scrolled below it.
      if (width <= 2 || height <= 2 || isSticky(element) !== isSticky(other)) return false;
      const smaller = Math.min(box.width * box.height, another.width * another.height);
      // One that lies wholly on another one is meant to.
      return width * height < smaller * 0.98;
    }).map(({ element: other }) => `${nameOf(element)} over ${nameOf(other)}`),
  );
  return [...cut.map((element) => `cut without a title: ${nameOf(element)}`), ...over.map(({ element }) => `over the edge: ${nameOf(element)}`), ...meet];
}

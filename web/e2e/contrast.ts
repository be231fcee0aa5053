// Whether what is written can be read.

/** Texts with less than 4.5:1 against their ground (WCAG AA). Runs in the page. */
export function faintTexts(): string[] {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  // Fills are laid one over the other, as the browser does with translucent ones.
  const luminance = (fills: readonly string[]): number => {
    if (context === null) return 0;
    for (const fill of ["white", ...fills]) {
      context.fillStyle = fill;
      context.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundsOf = (element: Element): string[] => {
    const above = element.parentElement === null ? [] : groundsOf(element.parentElement);
    return [...above, getComputedStyle(element).backgroundColor];
  };
  return [...document.querySelectorAll("body *")].flatMap((element) => {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("").trim();
    const box = element.getBoundingClientRect();
    if (text === "" || box.width <= 1 || element.closest("script, noscript, style") !== null) return [];
    const grounds = groundsOf(element);
    const [low = 0, high = 0] = [luminance([...grounds, getComputedStyle(element).color]), luminance(grounds)].sort((a, b) => a - b);
    const ratio = (high + 0.05) / (low + 0.05);
    return ratio < 4.5 ? [`${text}: ${ratio.toFixed(2)}`] : [];
  });
}

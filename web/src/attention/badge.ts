// How many need the human, where it is seen without looking at the page: the
// tab's title and its icon.

/** `(2) fixer · schmux`. */
export function titleOf(waiting: number, name: string | null): string {
  const page = name === null ? "schmux" : `${name} · schmux`;
  return waiting === 0 ? page : `(${waiting}) ${page}`;
}

/** What fits on an icon of 16 pixels. */
export const badgeText = (waiting: number): string => (waiting > 9 ? "9+" : String(waiting));

/** The icon of `icon.svg` with a number on it. */
export function badgeIcon(waiting: number): string {
  const text = badgeText(waiting);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">` +
    `<rect width="32" height="32" rx="7" fill="#1f5fbf"/>` +
    `<path d="M6 10.5l5 5-5 5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>` +
    `<circle cx="21" cy="20" r="11" fill="#fff"/><circle cx="21" cy="20" r="9.5" fill="#b3261e"/>` +
    `<text x="21" y="25.5" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${text.length > 1 ? 13 : 16}" fill="#fff">${text}</text>` +
    `</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Puts the number on the tab's icon, or takes it off. */
export function showBadge(waiting: number): void {
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  if (icon === null) return;
  icon.dataset.plain ??= icon.href;
  icon.href = waiting === 0 ? icon.dataset.plain : badgeIcon(waiting);
}

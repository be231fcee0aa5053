// Whether the daemon serves another page than the one that is open: it was
// updated under the tab. The names of the page's files carry a hash of what is
// in them, so the page that is served says it by itself.
import { httpAddress } from "../api/address";

/** The file that a page begins with, or `null` if it has no such name (while it is developed). */
export const firstFile = (html: string): string | null => /assets\/index-[\w-]+\.js/.exec(html)?.[0] ?? null;

/** Whether another page is served now. No answer is no. */
export async function isOutdated(): Promise<boolean> {
  const mine = firstFile(document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "");
  if (mine === null) return false;
  try {
    const served = await fetch(httpAddress("./"), { cache: "no-cache" });
    const newest = served.ok ? firstFile(await served.text()) : null;
    return newest !== null && newest !== mine;
  } catch {
    return false;
  }
}

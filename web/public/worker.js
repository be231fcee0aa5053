// The service worker: keeps the page's own files, so that it opens at once and
// also while the daemon is away, and then says so. It keeps nothing of what the
// daemon tells: neither its API nor a terminal passes through here.
//
// The page itself is always asked for first. Files below assets/ carry a hash of
// their content in their names and never change.
const CACHE = "schmux-shell-1";
// The daemon may hang rather than refuse; a phone with a bad line may too.
const PAGE_MS = 3000;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("schmux-shell-") && name !== CACHE).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
  if (request.method !== "GET" || url.origin !== self.location.origin || path.startsWith("api/") || path.startsWith("ws/")) return;
  if (path.startsWith("assets/")) event.respondWith(keptFirst(request));
  // A link with a token is the daemon's to answer.
  else if (request.mode === "navigate" && url.search === "") event.respondWith(freshFirst(request));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const address = new URL(event.notification.data ?? "#/", self.registration.scope).href;
    const [page] = pages;
    if (page === undefined) return self.clients.openWindow(address);
    await page.focus();
    return page.navigate(address);
  };
  event.waitUntil(open());
});

async function keptFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function freshFirst(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PAGE_MS) });
    if (answer.ok && !answer.redirected) {
      await cache.put("./", answer.clone());
      await forget(cache, await answer.clone().text());
    }
    return answer;
  } catch (failure) {
    const kept = await cache.match("./");
    if (kept === undefined) throw failure;
    return kept;
  }
}

/** Files of pages that are older than this one are not needed any more. */
async function forget(cache, page) {
  const entry = /assets\/index-[\w-]+\.js/.exec(page)?.[0];
  const known = (await cache.keys()).map(({ url }) => url).filter((url) => url.includes("/assets/"));
  if (entry === undefined || known.some((url) => url.endsWith(entry))) return;
  await Promise.all(known.map((url) => cache.delete(url)));
}

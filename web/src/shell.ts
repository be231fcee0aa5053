// The service worker, which keeps the page's own files. Browsers offer it on
// secure origins only; without it the page works the same, but needs the daemon
// to be opened.

export function keepShell(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Not while the page itself is being loaded.
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("./worker.js", { scope: "./" }).catch(() => undefined);
  });
}

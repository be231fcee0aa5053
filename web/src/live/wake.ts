// The moments at which a dead connection is worth another look at once: the tab
// is shown again, the network is back, the page returns from the cache.

/** Calls `act` at those moments until the returned function is called. */
export function onWake(act: () => void): () => void {
  const shown = (): void => {
    if (document.visibilityState === "visible") act();
  };
  document.addEventListener("visibilitychange", shown);
  window.addEventListener("online", act);
  window.addEventListener("pageshow", shown);
  return () => {
    document.removeEventListener("visibilitychange", shown);
    window.removeEventListener("online", act);
    window.removeEventListener("pageshow", shown);
  };
}

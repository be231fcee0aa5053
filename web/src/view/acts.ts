// What a command asks of the session that is open, wherever the command came
// from: the palette, a key, a button elsewhere.
import { useEffect, useEffectEvent } from "react";
import type { Tab } from "./panel/tabs";

export type Act = { act: "tab"; tab: Tab } | { act: "search" } | { act: "dispose" } | { act: "claim" };

const NAME = "schmux:act";

export function ask(act: Act): void {
  window.dispatchEvent(new CustomEvent(NAME, { detail: act }));
}

export function useActs(handle: (act: Act) => void): void {
  const act = useEffectEvent(handle);
  useEffect(() => {
    const listen = (event: Event): void => act((event as CustomEvent<Act>).detail);
    window.addEventListener(NAME, listen);
    return () => window.removeEventListener(NAME, listen);
  }, []);
}

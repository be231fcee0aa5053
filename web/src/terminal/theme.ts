// The terminal's colours, light and dark. The sixteen are chosen to be told
// apart on their ground; `minimumContrastRatio` of the terminal sees to the rest.
import type { ITheme } from "@xterm/xterm";

export const LIGHT: ITheme = {
  background: "#fdfdfc", foreground: "#24272c", cursor: "#24272c", cursorAccent: "#fdfdfc",
  selectionBackground: "#bcd4f5",
  black: "#24272c", red: "#b3261e", green: "#256f3a", yellow: "#865a00",
  blue: "#1f5fbf", magenta: "#8b3fa8", cyan: "#0b6d78", white: "#5f656e",
  brightBlack: "#6b7079", brightRed: "#c9352c", brightGreen: "#2f7f46", brightYellow: "#946500",
  brightBlue: "#2f70d0", brightMagenta: "#9c50b8", brightCyan: "#157a86", brightWhite: "#3c4148",
  scrollbarSliderBackground: "#00000026", scrollbarSliderHoverBackground: "#00000040",
  scrollbarSliderActiveBackground: "#00000059",
}; // prettier-ignore

export const DARK: ITheme = {
  background: "#131417", foreground: "#d9dbdf", cursor: "#d9dbdf", cursorAccent: "#131417",
  selectionBackground: "#34507a",
  black: "#33363c", red: "#f0807a", green: "#7cc78d", yellow: "#dcb566",
  blue: "#82b0f5", magenta: "#cf9be6", cyan: "#6fc6cf", white: "#c3c6cb",
  brightBlack: "#858b95", brightRed: "#ff9d97", brightGreen: "#97dba6", brightYellow: "#f0cd85",
  brightBlue: "#a3c6ff", brightMagenta: "#e0b6f2", brightCyan: "#8fdce4", brightWhite: "#f2f3f5",
  scrollbarSliderBackground: "#ffffff26", scrollbarSliderHoverBackground: "#ffffff40",
  scrollbarSliderActiveBackground: "#ffffff59",
}; // prettier-ignore

const dark = (): MediaQueryList => matchMedia("(prefers-color-scheme: dark)");

/** The colours that the system's scheme asks for. */
export const currentTheme = (): ITheme => (dark().matches ? DARK : LIGHT);

/** Calls `act` when they change, until the returned function is called. */
export function followTheme(act: () => void): () => void {
  const scheme = dark();
  scheme.addEventListener("change", act);
  return () => scheme.removeEventListener("change", act);
}

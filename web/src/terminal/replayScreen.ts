// A terminal that a recording is drawn on: nobody types into it, and it is scaled
// to its place rather than resized.
import { openEmulator } from "./emulator";

export class ReplayScreen {
  private readonly emulator;
  private readonly observer: ResizeObserver;

  constructor(private readonly container: HTMLElement) {
    this.emulator = openEmulator(container, () => undefined);
    this.emulator.terminal.options.disableStdin = true;
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(container.parentElement ?? container);
  }

  readonly reset = (cols: number, rows: number, data: string): void => {
    const { terminal } = this.emulator;
    terminal.write("\x18", () => {
      if (terminal.cols !== cols || terminal.rows !== rows) terminal.resize(cols, rows);
      terminal.reset();
      this.fit();
    });
    terminal.write(data);
  };

  readonly write = (data: string): void => this.emulator.terminal.write(data);

  /** What is shown, for tests. */
  text(): string {
    const { buffer, rows } = this.emulator.terminal;
    return Array.from({ length: rows }, (_, row) => buffer.active.getLine(buffer.active.baseY + row)?.translateToString(true) ?? "").join("\n");
  }

  dispose(): void {
    this.observer.disconnect();
    this.emulator.dispose();
  }

  /** As large as it is, or smaller if its place is. */
  private fit(): void {
    const place = this.container.parentElement;
    const screen = this.container.querySelector<HTMLElement>(".xterm-screen");
    if (place === null || screen === null || screen.offsetWidth === 0) return;
    const scale = Math.min(1, place.clientWidth / (screen.offsetWidth + 16), place.clientHeight / (screen.offsetHeight + 8));
    this.container.style.width = `${screen.offsetWidth + 16}px`;
    this.container.style.height = `${screen.offsetHeight + 8}px`;
    this.container.style.transform = `scale(${scale})`;
  }
}

// A terminal that a recording is drawn on: nobody types into it, and it is scaled
// to its place rather than resized.
import { openEmulator } from "./emulator";
import { installProbe } from "./probe";

// The terminal's scrollbar.
const BAR_PX = 14;
// Smaller letters can't be drawn; what is still too large then is scaled.
const SMALLEST = 4;

export class ReplayScreen {
  private readonly emulator;
  private readonly full: number;
  private fitted = "";
  private readonly observer: ResizeObserver;
  private readonly removeProbe: () => void;

  constructor(id: string, private readonly container: HTMLElement) {
    this.emulator = openEmulator(container, () => undefined);
    this.emulator.terminal.options.disableStdin = true;
    this.full = this.emulator.terminal.options.fontSize ?? 13;
    this.removeProbe = installProbe(`replay of ${id}`, this.emulator.terminal);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(container.parentElement ?? container);
  }

  readonly reset = (cols: number, rows: number, data: string): void => {
    const { terminal } = this.emulator;
    this.emulator.write("\x18", () => {
      if (terminal.cols !== cols || terminal.rows !== rows) terminal.resize(cols, rows);
      terminal.reset();
      this.fit();
    });
    this.emulator.write(data, () => this.emulator.wipe());
  };

  readonly write = (data: string): void => this.emulator.write(data);

  dispose(): void {
    this.observer.disconnect();
    this.removeProbe();
    this.emulator.dispose();
  }

  /** As large as it is, or smaller if its place is: by a smaller font, since a scaled picture of text is blurred. */
  private fit(): void {
    const { terminal } = this.emulator;
    const place = this.container.parentElement;
    const screen = this.container.querySelector<HTMLElement>(".xterm-screen");
    if (place === null || screen === null) return;
    const shape = `${terminal.cols} ${terminal.rows} ${place.clientWidth} ${place.clientHeight}`;
    if (shape === this.fitted) return;
    this.fitted = shape;
    const room = (): number => Math.min(place.clientWidth / (screen.offsetWidth + BAR_PX), place.clientHeight / screen.offsetHeight);
    terminal.options.fontSize = this.full;
    let size = Math.min(this.full, Math.ceil(this.full * room()));
    // Cells are whole pixels, so the size that fits is a little off what was worked out.
    for (; size > SMALLEST && room() < 1; size -= 0.5) terminal.options.fontSize = size;
    this.container.style.width = `${screen.offsetWidth + BAR_PX}px`;
    this.container.style.height = `${screen.offsetHeight}px`;
    this.container.style.transform = `scale(${Math.min(1, room())})`;
  }
}

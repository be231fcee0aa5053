// The ring itself: two tones by Web Audio. Browsers let a page sound only after
// a gesture, so the first one warms it up; until then it is not `able`.

const TONES_HZ = [880, 660] as const;
// Two tones of 150 ms are one ring of 300 ms: long enough to be told from a
// click, short enough not to annoy.
const TONE_S = 0.15;
// A tenth of full scale is heard across a desk and startles nobody.
const PEAK = 0.1;
// A tone that begins or ends at once clicks; 12 ms of slope don't.
const ATTACK_S = 0.012;
const SILENCE = 0.0001;
// A context that runs keeps the audio device, and on some machines the whole
// machine, awake. It rests when it has been quiet for this long.
const REST_MS = 2_000;
// Resuming takes some 10 ms where it is allowed. Where it isn't, the browser
// does not refuse but never answers.
const RESUME_MS = 1_000;

export class Chime {
  private context: AudioContext | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private unlocked = false;
  private readonly listeners = new Set<() => void>();

  /** Whether the browser lets it sound. */
  readonly able = (): boolean => this.unlocked;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Warms up by the gestures of a person, until the returned function is called. */
  warmByGestures(): () => void {
    // After a reload, or where the person has allowed it, it may sound without one.
    if (mayTry()) void this.ready();
    const gestures = ["pointerdown", "pointerup", "touchend", "keydown"] as const;
    const warm = (): void => {
      if (!this.unlocked) void this.ready();
    };
    for (const gesture of gestures) window.addEventListener(gesture, warm, { capture: true, passive: true });
    return () => {
      for (const gesture of gestures) window.removeEventListener(gesture, warm, { capture: true });
    };
  }

  /** Makes the audio run. `false` if the browser doesn't let it. */
  async ready(): Promise<boolean> {
    const context = this.open();
    if (context === null) return false;
    clearTimeout(this.resting);
    const running = await resumed(context);
    if (running) this.rest();
    if (running !== this.unlocked) {
      this.unlocked = running;
      for (const listener of this.listeners) listener();
    }
    return running;
  }

  sound(): void {
    const context = this.context;
    if (context === null) return;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "sine";
    volume.gain.setValueAtTime(SILENCE, context.currentTime);
    TONES_HZ.forEach((pitch, index) => {
      const begin = context.currentTime + index * TONE_S;
      tone.frequency.setValueAtTime(pitch, begin);
      volume.gain.exponentialRampToValueAtTime(PEAK, begin + ATTACK_S);
      volume.gain.exponentialRampToValueAtTime(SILENCE, begin + TONE_S);
    });
    tone.connect(volume).connect(context.destination);
    tone.start(context.currentTime);
    tone.stop(context.currentTime + TONES_HZ.length * TONE_S);
    tone.onended = () => volume.disconnect();
    this.rest();
  }

  private open(): AudioContext | null {
    try {
      this.context ??= new AudioContext({ latencyHint: "interactive" });
    } catch {
      // No audio in this browser, or none to be had now.
    }
    return this.context;
  }

  private rest(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.context?.suspend(), REST_MS);
  }
}

/** Firefox marks the address bar of a page that tries without leave, and tells beforehand. */
function mayTry(): boolean {
  const asking = navigator as Navigator & { getAutoplayPolicy?: (kind: string) => string };
  return asking.getAutoplayPolicy === undefined || asking.getAutoplayPolicy("audiocontext") === "allowed";
}

async function resumed(context: AudioContext): Promise<boolean> {
  if (context.state === "running") return true;
  const waited = new Promise<void>((resolve) => setTimeout(resolve, RESUME_MS));
  try {
    await Promise.race([context.resume(), waited]);
  } catch {
    return false;
  }
  return (context.state as AudioContextState) === "running";
}

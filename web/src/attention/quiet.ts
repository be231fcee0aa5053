// Quiet hours: when this browser neither rings nor notifies. Pure but for the
// two functions at the end.

/** Minutes of the day, from midnight; the end may be on the next day. */
export interface QuietHours {
  from: number;
  to: number;
}

/** `22:00-07:00`, or `null` for what isn't that. */
export function readHours(text: string | null): QuietHours | null {
  const parts = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text ?? "");
  if (parts === null) return null;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = parts.slice(1).map(Number);
  if (fromHour > 23 || toHour > 23 || fromMinute > 59 || toMinute > 59) return null;
  return { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
}

export const writeHours = ({ from, to }: QuietHours): string => `${writeTime(from)}-${writeTime(to)}`;

export const writeTime = (minutes: number): string => [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");

export const readTime = (text: string): number | null => readHours(`${text}-00:00`)?.from ?? null;

/** Whether a minute of the day is within them. The same time twice is no time at all. */
export function isQuiet(hours: QuietHours | null, minute: number): boolean {
  if (hours === null) return false;
  const { from, to } = hours;
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

const KEY = "schmux:set:quiet-hours";

export function quietHours(): QuietHours | null {
  try {
    return readHours(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** Whether it is quiet now, in the reader's zone. */
export function isQuietNow(now: Date = new Date()): boolean {
  return isQuiet(quietHours(), now.getHours() * 60 + now.getMinutes());
}

export function setQuietHours(hours: QuietHours | null): void {
  try {
    if (hours === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, writeHours(hours));
  } catch {
    // A browser that keeps nothing has no quiet hours.
  }
}

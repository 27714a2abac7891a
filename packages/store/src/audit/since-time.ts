/** Parses a time that a person typed on the command line. */

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Returns the Unix milliseconds of `90m`, `12h` or `7d` before `now` (the units are s, m, h, d and w), of the beginning of a
 * date such as `2026-11-01` in local time, or of a date with a time. Returns undefined for any other text.
 */
export function sinceTime(text: string, now: number): number | undefined {
  const ago = /^(\d{1,6})([smhdw])$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const local = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text;
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : time;
}

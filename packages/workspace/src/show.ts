/** Formats sizes, times and names for results. */

const units = ["B", "KB", "MB", "GB", "TB"] as const;

/** Returns a size such as `512 B`, `1.5 KB` or `120 MB`. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** Returns `2026-11-21 09:05` in the local time zone. */
export function localMinute(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Returns ISO 8601 with the local offset: `2026-11-21T09:05:07+01:00`. */
export function isoLocal(time: Date): string {
  const offset = -time.getTimezoneOffset();
  const zone =
    offset === 0
      ? "Z"
      : `${offset < 0 ? "-" : "+"}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${localMinute(time).replace(" ", "T")}:${two(time.getSeconds())}${zone}`;
}

/** Returns a file name for display on one line, with control and text direction characters escaped. */
export function printableName(name: string): string {
  return name.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is made visible here
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

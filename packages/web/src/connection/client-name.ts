/** Names this browser for the other clients of a session. */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\/|FxiOS/, "Firefox"],
  [/Chrom(?:e|ium)\/|CriOS/, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Returns a name such as `Firefox on Linux` for the `User-Agent` of a browser. */
export function clientNameOf(userAgent: string): string {
  const find = (rows: typeof browsers, unknown: string) =>
    rows.find(([pattern]) => pattern.test(userAgent))?.[1] ?? unknown;
  return `${find(browsers, "a browser")} on ${find(systems, "an unknown system")}`;
}

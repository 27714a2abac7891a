/** What a check is: a comparison of what was seen with what the row expects. */
import type { JsonValue } from "@localharness/protocol";
import { fillValue } from "../fill.ts";
import type { Observation } from "../observation.ts";
import { ownNames } from "../own-names.ts";
import type { Row } from "../row.ts";

/** What was expected and what came; undefined when the check holds. */
export type Problem = string | undefined;

export type Check = (seen: Observation, expected: JsonValue, row: Row) => Problem | Promise<Problem>;

export type Checks = Readonly<Record<string, Check>>;

/** A list of texts, with its placeholders filled. */
export function textsOf(value: JsonValue, seen: Observation): string[] {
  const filled = fillValue(value, seen.place.values);
  return (Array.isArray(filled) ? filled : [filled]).map((one) => ownNames(String(one)));
}

export function numberOf(value: JsonValue): number {
  if (typeof value !== "number") throw new Error(`expected a number, got ${JSON.stringify(value)}`);
  return value;
}

/** A long text as it may stand in a line of a report. */
export function brief(text: string, limit = 160): string {
  const line = JSON.stringify(text);
  return line.length <= limit ? line : `${line.slice(0, limit)}… (${text.length} characters)`;
}

/** Code points of ranges written `202A-202E` or `FEFF`, as a pattern. */
export function codePoints(ranges: readonly string[]): RegExp {
  const parts = ranges.map((range) =>
    range
      .split("-")
      .map((code) => `\\u{${code}}`)
      .join("-"),
  );
  return new RegExp(`[${parts.join("")}]`, "u");
}

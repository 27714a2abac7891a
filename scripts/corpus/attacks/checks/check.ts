/** The interface of a check, which compares an observation with what the row expects. */
import type { JsonValue } from "@localharness/protocol";
import { fillValue } from "../fill.ts";
import type { Observation } from "../observation.ts";
import { ownNames } from "../own-names.ts";
import type { Row } from "../row.ts";

/** A message that says what was expected and what came; undefined when the check holds. */
export type Problem = string | undefined;

export type Check = (seen: Observation, expected: JsonValue, row: Row) => Problem | Promise<Problem>;

export type Checks = Readonly<Record<string, Check>>;

/** Returns an expected value as a list of texts, with placeholders filled. */
export function textsOf(value: JsonValue, seen: Observation): string[] {
  const filled = fillValue(value, seen.place.values);
  return (Array.isArray(filled) ? filled : [filled]).map((one) => ownNames(String(one)));
}

export function numberOf(value: JsonValue): number {
  if (typeof value !== "number") throw new Error(`expected a number, got ${JSON.stringify(value)}`);
  return value;
}

/** Returns a text as JSON, cut for a line of the report. */
export function brief(text: string, limit = 160): string {
  const line = JSON.stringify(text);
  return line.length <= limit ? line : `${line.slice(0, limit)}… (${text.length} characters)`;
}

/** Returns a pattern for code points, given as ranges such as `202A-202E` or `FEFF`. */
export function codePoints(ranges: readonly string[]): RegExp {
  const parts = ranges.map((range) =>
    range
      .split("-")
      .map((code) => `\\u{${code}}`)
      .join("-"),
  );
  return new RegExp(`[${parts.join("")}]`, "u");
}

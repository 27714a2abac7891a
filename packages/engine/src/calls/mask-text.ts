/** Masks known secrets in the results of tools, before a model, a screen, a file or a log gets them. */
import { countText, cutDiffLine, type JsonValue, type ToolResult } from "@localharness/protocol";

export type Mask = (text: string) => string;

const encoder = new TextEncoder();

/** Returns a mask that never throws. If `mask` throws, the new mask returns a fixed sentence instead of the text. */
export function safeMask(mask: Mask | undefined): Mask {
  if (mask === undefined) return (text) => text;
  return (text) => {
    try {
      return mask(text);
    } catch {
      return "(withheld: known secrets could not be taken out of it)";
    }
  };
}

/** Returns the result with all texts masked and the size of its data updated. */
export function maskResult(result: ToolResult, mask: Mask): ToolResult {
  const data = result.data === null ? null : mask(result.data);
  const error_message = result.error_message === null ? null : mask(result.error_message);
  const metadata =
    data === null || data === result.data
      ? result.metadata
      : { ...result.metadata, data_size_bytes: encoder.encode(data).length };
  const { notes } = result;
  return {
    ...result,
    data,
    error_message,
    metadata,
    ...(notes === undefined ? {} : { notes: notes.map(mask) }),
  };
}

/** The maximum length of the diff of a result, in UTF-16 units. */
const maxDiffChars = 64 * 1024;

/** Returns the diff masked. Cuts a long diff after the last line that fits, and adds a line that says so. */
export function maskDiff(diff: string, mask: Mask): string {
  const masked = mask(diff);
  if (masked.length <= maxDiffChars) return masked;
  const whole = masked.slice(0, masked.lastIndexOf("\n", maxDiffChars - 1) + 1);
  return whole + cutDiffLine(masked.slice(whole.length).trimEnd().split("\n").length);
}

/** Returns the value with all texts masked. Cuts a text longer than `maxChars` and appends its length. */
export function maskValue(value: JsonValue, mask: Mask, maxChars: number): JsonValue {
  if (typeof value === "string") return cut(mask(value), maxChars);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask, maxChars));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cut(mask(key), maxChars), maskValue(item, mask, maxChars)]),
  );
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : `${text.slice(0, maxChars)}… (${countText(text.length, "character")})`;
}

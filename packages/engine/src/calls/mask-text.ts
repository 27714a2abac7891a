/** Takes known secrets out of what leaves a tool, before a model, a screen, a file or a log gets it. */
import type { JsonValue, ToolResult } from "@localharness/protocol";

export type Mask = (text: string) => string;

const encoder = new TextEncoder();

/** A mask that cannot fail: text that could not be masked is withheld. */
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

/** A value with every text of it masked, and cut when it is longer than `mostChars`, with its length. */
export function maskValue(value: JsonValue, mask: Mask, mostChars: number): JsonValue {
  if (typeof value === "string") return cut(mask(value), mostChars);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask, mostChars));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cut(mask(key), mostChars), maskValue(item, mask, mostChars)]),
  );
}

function cut(text: string, mostChars: number): string {
  return text.length <= mostChars ? text : `${text.slice(0, mostChars)}… (${text.length} characters)`;
}

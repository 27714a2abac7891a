/** Fills the placeholders of a row and expands its macros. */
import { gzipSync } from "node:zlib";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

/** The values of the placeholders `{{NAME}}`. */
export type Values = Readonly<Record<string, string>>;

/** Fills the placeholders in a text; unknown ones stay unchanged. */
export function fillText(text: string, values: Values): string {
  return text.replace(/\{\{([A-Z_]+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Fills all texts of a value, keys included, and expands its macros to texts. */
export function fillValue(value: JsonValue, values: Values): JsonValue {
  if (typeof value === "string") return fillText(value, values);
  if (Array.isArray(value)) return value.map((inner) => fillValue(inner, values));
  if (!isJsonObject(value)) return value;
  const macro = macroOf(value);
  if (macro !== undefined) return [...spell(macro, values)].join("");
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fillText(key, values), fillValue(inner, values)]),
  );
}

export function fillObject(value: JsonObject, values: Values): JsonObject {
  const filled = fillValue(value, values);
  return isJsonObject(filled) ? filled : {};
}

/** Yields the bytes to send in pieces, because some macros are longer than a string may be. */
export function* wireBytes(wire: JsonValue, values: Values): Generator<Buffer> {
  if (typeof wire !== "string") {
    for (const piece of spell(wire, values)) yield Buffer.from(piece, "utf8");
    return;
  }
  const [text = "", rest] = withContentLength(fillText(wire, values)).split(bombMark);
  yield Buffer.from(text, "utf8");
  if (rest !== undefined) for (let member = 0; member < 100; member += 1) yield bombMember();
}

const bombMark = "<10 MB gzip of 10 GB zeros>";

/** Returns a gzip member of 100 MB of zeros. Consecutive members unpack to one text. */
function bombMember(): Buffer {
  packed ??= gzipSync(Buffer.alloc(100_000_000));
  return packed;
}

let packed: Buffer | undefined;

const repeatPiece = 1024 * 1024;

function macroOf(value: JsonObject): JsonObject | undefined {
  const keys = Object.keys(value);
  return keys.length === 1 && keys[0]?.startsWith("$") ? value : undefined;
}

function* spell(value: JsonValue, values: Values): Generator<string> {
  if (typeof value === "string") yield fillText(value, values);
  else if (isJsonObject(value)) yield* spellMacro(value, values);
  else throw new Error(`expected a text or a macro, got ${JSON.stringify(value)}`);
}

function* spellMacro(value: JsonObject, values: Values): Generator<string> {
  const [name, given] = Object.entries(value)[0] ?? [];
  if (name === "$repeat" && Array.isArray(given)) yield* repeated(given);
  else if (name === "$concat" && Array.isArray(given)) for (const part of given) yield* spell(part, values);
  else if (name === "$rendered_text" && given !== undefined) yield* spell(given, values);
  else if (name === "$json_tool_args_mb" && typeof given === "number") yield* largeCall(given);
  else throw new Error(`unknown macro ${JSON.stringify(name)}`);
}

function* repeated([text, times]: readonly JsonValue[]): Generator<string> {
  if (typeof text !== "string" || typeof times !== "number") throw new Error("$repeat expects [text, times]");
  const block = Math.max(1, Math.floor(repeatPiece / Math.max(1, text.length)));
  for (let left = times; left > 0; left -= block) yield text.repeat(Math.min(block, left));
}

/** Yields one stream event with a call whose arguments have `megabytes` MB. */
function* largeCall(megabytes: number): Generator<string> {
  const head = { index: 0, id: "call_1", type: "function" };
  const start = JSON.stringify({ ...head, function: { name: "write_file", arguments: "@" } });
  const args = JSON.stringify(JSON.stringify({ path: "a.txt", content: "@" })).slice(1, -1);
  const [callStart = "", callEnd = ""] = start.split("@");
  const [argsStart = "", argsEnd = ""] = args.split("@");
  yield `{"choices":[{"index":0,"delta":{"tool_calls":[${callStart}${argsStart}`;
  yield* repeated(["a", megabytes * 1024 * 1024]);
  yield `${argsEnd}${callEnd}]},"finish_reason":null}]}`;
}

/** Fills `{{CL}}` with the length of the body in bytes. */
function withContentLength(text: string): string {
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  return text.replaceAll("{{CL}}", String(Buffer.byteLength(body)));
}

/**
 * Reads the part of YAML that models write as arguments: block mappings and lists, block scalars, quoted and flow values.
 * It reads line by line while the lines come, and shows each argument as soon as it is certain.
 */
import { exactNumber, isObject, propertySchema, type Schema, typesOf } from "@localharness/schema";
import { parseInner, parseJson } from "../json/read-json.ts";
import { jsonReading, noteRepair, setLast } from "../json/result.ts";
import type { ShownArguments, ShownText } from "../markup/shown-arguments.ts";
import type { Reader } from "../scan/input.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import { type Line, YamlLines } from "./yaml-lines.ts";

interface Cursor {
  readonly lines: YamlLines;
  /** The list to which a repair is added if a part is dropped. */
  readonly repairs: Repair[];
  /** The object that shows arguments. It is removed when the text has ended, because the last argument may be incomplete. */
  shows: Shows | undefined;
  /** The indentation of the arguments; -1 before the first one. */
  base: number;
  at: number;
  depth: number;
}

interface Shows {
  readonly shown: ShownArguments;
  readonly schema: Schema;
}

/** Reads a body of YAML that comes piece by piece. */
export interface YamlReader {
  push(piece: string): void;
  /** Returns the mapping in the whole text; undefined for any other text. Adds a repair for each part that was dropped. */
  end(repairs: Repair[]): JsonObject | undefined;
}

export function yamlReader(shows?: Shows): YamlReader {
  const lines = new YamlLines();
  const cursor: Cursor = { lines, repairs: [], shows, base: -1, at: 0, depth: 0 };
  const reading = readDocument(cursor);
  let step = reading.next();
  return {
    push(piece) {
      if (!step.done && lines.push(piece)) step = reading.next();
    },
    end(repairs) {
      cursor.shows = undefined;
      lines.end();
      while (!step.done) step = reading.next();
      if (step.value) for (const repair of cursor.repairs) noteRepair(repairs, repair);
      return step.value;
    },
  };
}

/** Returns the mapping in a text; undefined for any other text. */
export function parseYamlArguments(text: string, repairs: Repair[] = []): JsonObject | undefined {
  const reader = yamlReader();
  reader.push(text);
  return reader.end(repairs);
}

function* readDocument(cursor: Cursor): Reader<JsonObject | undefined> {
  const first = yield* nextLine(cursor);
  if (!first) return {};
  if (first.text.startsWith("{")) {
    while (!cursor.lines.ended) yield;
    const value = parseInner(cursor.lines.from(cursor.at), cursor.repairs);
    return isObject(value) ? (value as JsonObject) : undefined;
  }
  cursor.base = first.indent;
  const value = yield* readMapping(cursor, first.indent);
  return value !== undefined && (yield* nextLine(cursor)) === undefined ? value : undefined;
}

/** Returns the line at the cursor; undefined at the end. A line that begins an argument is returned before it is complete. */
function* lineHere(cursor: Cursor): Reader<Line | undefined> {
  for (const { lines } = cursor; ; ) {
    const line = lines.at(cursor.at);
    if (line !== undefined || lines.ended) return line;
    if (lines.coming !== undefined && lines.coming.indent <= cursor.base) return lines.coming;
    yield;
  }
}

function* wholeLine(cursor: Cursor): Reader<Line | undefined> {
  while (cursor.lines.at(cursor.at) === undefined && !cursor.lines.ended) yield;
  return cursor.lines.at(cursor.at);
}

/** Moves to the next line that is neither empty nor a comment nor `---`, and returns it; undefined at the end. */
function* nextLine(cursor: Cursor): Reader<Line | undefined> {
  for (;;) {
    const line = yield* lineHere(cursor);
    if (line === undefined) return undefined;
    const isComment = line.text.startsWith("#");
    if (line.text !== "" && !isComment && line.text !== "---") return line;
    if (isComment) noteRepair(cursor.repairs, "comment");
    cursor.at += 1;
  }
}

const plainKey = /^((?:[^\s:#"'[\]{},&*!|>%@`-]|-[^\s:])(?:[^:#]*[^\s:#])?)\s*:(?:\s+(.*)|)$/s;

/** Returns the key with which a line begins, and the text after its colon; undefined for a line without a key. */
function keyOf(line: string): readonly [key: string, rest: string] | undefined {
  const isQuoted = /^["']/.test(line);
  const end = isQuoted ? endOfQuote(line, 1, line.charAt(0)) : 0;
  const found = isQuoted ? /^(.)\s*:(?:\s+(.*)|)$/s.exec(line.slice(end)) : plainKey.exec(line);
  return found ? [isQuoted ? line.slice(1, end) : (found[1] ?? ""), found[2] ?? ""] : undefined;
}

/** Returns the place of the quote that ends a text in quotes; the length of the text if there is none. */
function endOfQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (quote === '"' ? text[at] === "\\" : text.startsWith("''", at)) at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function* readMapping(cursor: Cursor, indent: number): Reader<JsonObject | undefined> {
  const object: JsonObject = {};
  while ((yield* nextLine(cursor))?.indent === indent) {
    const line = yield* wholeLine(cursor);
    const found = line && keyOf(line.text);
    if (!found) return undefined;
    const [key, rest] = found;
    cursor.at += 1;
    const text = cursor.depth === 0 ? shownText(cursor, key, rest) : undefined;
    const value = yield* readValue(cursor, rest, indent, line, text);
    if (value === undefined) return undefined;
    setLast(object, key, value, cursor.repairs);
    if (((yield* nextLine(cursor))?.indent ?? indent) > indent) return undefined;
    if (!cursor.shows || cursor.depth > 0) continue;
    if (text) text.end(value);
    else cursor.shows.shown.value(key, value);
  }
  return object;
}

/** Returns the object that shows a literal block while it arrives, if the tool takes the block as a text. */
function shownText({ shows }: Cursor, key: string, rest: string): ShownText | undefined {
  if (!shows || !/^\|[-+]?$/.test(rest)) return undefined;
  const schema = propertySchema(shows.schema, key);
  const types = schema ? typesOf(schema) : new Set();
  return types.size === 0 || types.has("string") ? shows.shown.text(key, { tail: "space" }) : undefined;
}

function* readSequence(cursor: Cursor, indent: number): Reader<JsonValue[] | undefined> {
  const items: JsonValue[] = [];
  for (let line = yield* nextLine(cursor); line?.indent === indent; line = yield* nextLine(cursor)) {
    const parts = /^-(\s+)(.*)$/s.exec(line.text) ?? (line.text === "-" ? ["", " ", ""] : undefined);
    if (!parts) return items;
    const [, gap = " ", rest = ""] = parts;
    const inner = indent + 1 + gap.length;
    const isMapping = !/^["']/.test(rest) && keyOf(rest) !== undefined;
    let value: JsonValue | undefined;
    if (isMapping) {
      // The mapping begins after the dash. It is read as if it were on a separate line.
      cursor.lines.replace(cursor.at, { indent: inner, text: rest, raw: " ".repeat(inner) + rest });
      if (cursor.depth > 40) return undefined;
      cursor.depth += 1;
      value = yield* readMapping(cursor, inner);
      cursor.depth -= 1;
    } else {
      cursor.at += 1;
      value = yield* readValue(cursor, rest, indent, line);
    }
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

/** Reads the value after a key or a dash, on the same line or on the lines below. */
function* readValue(
  cursor: Cursor,
  rest: string,
  indent: number,
  line: Line,
  shown?: ShownText,
): Reader<JsonValue | undefined> {
  const text = /^["'[{]/.test(rest) ? rest : rest.replace(/\s#.*$/s, "").trim();
  if (text.length < rest.trim().length) noteRepair(cursor.repairs, "comment");
  if (/^[|>][-+\d]*$/.test(text)) return yield* readBlock(cursor, text, indent, shown);
  if (text === "") return yield* readNested(cursor, indent, line);
  if (/^["']/.test(text)) return yield* readQuoted(cursor, rest);
  if (/^[[{]/.test(text)) return yield* readFlow(cursor, rest);
  return scalar(yield* readPlain(cursor, text, indent));
}

function* readNested(cursor: Cursor, indent: number, line: Line): Reader<JsonValue | undefined> {
  const next = yield* nextLine(cursor);
  if (!next) return null;
  const isItem = /^-(?:\s|$)/.test(next.text);
  const deeper = next.indent > indent || (isItem && next.indent === indent && !line.text.startsWith("-"));
  if (!deeper || cursor.depth > 40) return deeper ? undefined : null;
  cursor.depth += 1;
  const value = isItem
    ? yield* readSequence(cursor, next.indent)
    : keyOf(next.text)
      ? yield* readMapping(cursor, next.indent)
      : yield* scalarBelow(cursor, next);
  cursor.depth -= 1;
  return value;
}

function* scalarBelow(cursor: Cursor, line: Line): Reader<JsonValue | undefined> {
  cursor.at += 1;
  return yield* readValue(cursor, line.text, line.indent - 1, line);
}

/** Reads a plain scalar. It may continue on lines with a deeper indent, which are joined with spaces. */
function* readPlain(cursor: Cursor, text: string, indent: number): Reader<string> {
  let value = text;
  for (let line = yield* lineHere(cursor); line && line.text !== "" && line.indent > indent; ) {
    if (keyOf(line.text) || /^-\s/.test(line.text)) break;
    value += ` ${line.text}`;
    cursor.at += 1;
    line = yield* lineHere(cursor);
  }
  return value;
}

function* readBlock(cursor: Cursor, header: string, indent: number, shown?: ShownText): Reader<string> {
  const folded = header.startsWith(">");
  const chomp = /-/.test(header) ? "-" : /\+/.test(header) ? "+" : "";
  const given = /[1-9]/.exec(header)?.[0];
  let inner = given === undefined ? undefined : indent + Number(given);
  const lines: Line[] = [];
  let line = yield* lineHere(cursor);
  for (let count = 0; line && (line.text === "" || line.indent > indent); line = yield* lineHere(cursor)) {
    lines.push(line);
    cursor.at += 1;
    inner ??= line.text === "" ? undefined : line.indent;
    if (!shown || !cursor.shows || inner === undefined) continue;
    for (; count < lines.length; count += 1)
      shown.piece(`${count > 0 ? "\n" : ""}${lines[count]?.raw.slice(inner)}`);
  }
  const texts = lines.map(({ raw }) => raw.slice(inner ?? indent + 1));
  // The line break before the end tag belongs to the tag.
  if (line === undefined && texts.at(-1)?.trim() === "") texts.pop();
  return chomped(folded ? fold(texts) : texts.join("\n"), chomp);
}

function fold(lines: readonly string[]): string {
  let value = "";
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1];
    if (index === 0) value = line;
    else if (line === "") value += "\n";
    else if (previous === "" || /^\s/.test(line) || /^\s/.test(previous ?? "")) {
      value += previous === "" && !/^\s/.test(line) ? line : `\n${line}`;
    } else value += ` ${line}`;
  }
  return value;
}

function chomped(value: string, chomp: string): string {
  const body = value.replace(/(?<!\n)\n+$/, "");
  if (chomp === "-") return body;
  if (chomp === "+") return `${value}\n`;
  return body === "" ? "" : `${body}\n`;
}

/** Reads a quoted scalar, which may continue over several lines. */
function* readQuoted(cursor: Cursor, rest: string): Reader<JsonValue | undefined> {
  const quote = rest[0] ?? '"';
  let text = "";
  for (let part = rest.slice(1); ; ) {
    const before = part.slice(0, endOfQuote(part, 0, quote));
    text += before;
    if (before.length < part.length) {
      const after = part.slice(before.length + 1).trimStart();
      if (after.startsWith("#")) noteRepair(cursor.repairs, "comment");
      if (after === "" || after.startsWith("#")) return unquote(text, quote);
      return text === before ? withInnerQuotes(cursor, rest.trimEnd(), quote) : undefined;
    }
    const line = yield* wholeLine(cursor);
    if (!line) return undefined;
    part = line.text === "" ? "\n" : part.endsWith("\n") ? line.text : ` ${line.text}`;
    cursor.at += 1;
  }
}

/** Returns the text of a line that begins and ends with the quote and has further quotes inside; undefined for any other. */
function withInnerQuotes({ repairs }: Cursor, line: string, quote: string): string | undefined {
  if (line.length < 2 || !line.endsWith(quote)) return undefined;
  noteRepair(repairs, "unescaped-quote");
  const text = line.slice(1, -1);
  return unquote(quote === '"' ? text.replace(/(?<!\\)"/g, '\\"') : text, quote);
}

function unquote(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  const value = parseJson(`"${text}"`, jsonReading(true, []));
  return typeof value === "string" ? value : text;
}

/** The maximum number of characters that are read, some of them several times, to find the end of a flow value. */
const maxFlow = 100_000;

/** Reads `[a, b]` or `{a: 1}`, which may have several lines. Only a line that ends in a bracket can end it. */
function* readFlow(cursor: Cursor, rest: string): Reader<JsonValue | undefined> {
  for (let whole = rest, last = rest, read = 0; ; ) {
    if (/[\]}](?:\s+#.*)?$/s.test(last)) {
      const value = parseFlow(cursor, whole) ?? parseFlow(cursor, whole, quoteBare);
      if (value !== undefined) return value;
      read += whole.length;
    }
    const line = yield* wholeLine(cursor);
    if (!line || read > maxFlow) return undefined;
    last = line.text;
    whole += `\n${line.text}`;
    cursor.at += 1;
  }
}

/** Parses a flow value as JSON, without comments and with `'it''s'` in double quotes. `outside` changes what is not in quotes. */
function parseFlow({ repairs }: Cursor, text: string, outside = (piece: string) => piece) {
  const marks = /(?<![^\s[{,:])["']|(?<!\S)#[^\n]*/g;
  let json = "";
  let piece = "";
  for (let mark = marks.exec(text), at = 0; ; mark = marks.exec(text)) {
    piece += text.slice(at, mark?.index).replaceAll("\n", " ");
    if (mark === null) return parseInner(json + outside(piece), repairs);
    if (mark[0] === "'" || mark[0] === '"') {
      const end = endOfQuote(text, marks.lastIndex, mark[0]);
      const inner = text.slice(marks.lastIndex, end).replaceAll("\n", " ");
      const isDoubled = mark[0] === "'" && end < text.length && inner.includes("''");
      const quoted = `${mark[0]}${inner}${text.charAt(end)}`;
      json += outside(piece) + (isDoubled ? JSON.stringify(inner.replaceAll("''", "'")) : quoted);
      piece = "";
      marks.lastIndex = end + 1;
    } else noteRepair(repairs, "comment");
    at = marks.lastIndex;
  }
}

/** Puts quotes around the words of a flow value that are not JSON. */
function quoteBare(piece: string): string {
  return piece.replace(
    /([[,{:]\s*)([^\s"'[\]{},:](?:[^"'[\]{},:]*[^\s"'[\]{},:])?)(?=\s*[,\]}:])/g,
    (whole, before, word) => (typeof scalar(word) === "string" ? `${before}${JSON.stringify(word)}` : whole),
  );
}

function scalar(text: string): JsonValue {
  if (/^(?:null|~|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  const isNumber = /^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text);
  return (isNumber ? exactNumber(text) : undefined) ?? text;
}

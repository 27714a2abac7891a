/** Reads the part of YAML that models write as arguments: block mappings and lists, block scalars, quoted and flow values. */
import { parseInner, parseJson } from "../json/read-json.ts";
import { jsonReading, noteRepair, setLast } from "../json/result.ts";
import type { JsonValue, Repair } from "../types.ts";

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly raw: string;
}

interface Cursor {
  readonly lines: Line[];
  /** Where it is noted what was left out. */
  readonly repairs: Repair[];
  at: number;
  depth: number;
}

/** The mapping in a text; undefined when the text is anything else. */
export function parseYamlArguments(
  text: string,
  repairs: Repair[] = [],
): { [key: string]: JsonValue } | undefined {
  const lines = text.split(/\r?\n/).map(yamlLine);
  const cursor: Cursor = { lines, repairs: [], at: 0, depth: 0 };
  const first = nextLine(cursor);
  if (!first) return {};
  if (first.text.startsWith("{")) return asObject(parseInner(text.trim(), repairs));
  const value = readMapping(cursor, first.indent);
  if (value === undefined || nextLine(cursor) !== undefined) return undefined;
  for (const repair of cursor.repairs) noteRepair(repairs, repair);
  return value;
}

/** A line with its indentation. Tabs are none in YAML; models write them all the same. */
export function yamlLine(line: string): Line {
  const raw = line.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length));
  return { indent: raw.length - raw.trimStart().length, text: raw.trim(), raw };
}

function asObject(value: JsonValue | undefined): { [key: string]: JsonValue } | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The next line that is not empty and no comment, which stays the current one. */
function nextLine(cursor: Cursor): Line | undefined {
  for (;;) {
    const line = cursor.lines[cursor.at];
    if (line === undefined) return undefined;
    const isComment = line.text.startsWith("#");
    if (line.text !== "" && !isComment && line.text !== "---") return line;
    if (isComment) noteRepair(cursor.repairs, "comment");
    cursor.at++;
  }
}

const keyPattern =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s:#"'[\]{},&*!|>%@`-][^:#]*?|-[^\s:][^:#]*?))\s*:(?:\s+(.*)|)$/;

function readMapping(cursor: Cursor, indent: number): { [key: string]: JsonValue } | undefined {
  const object: { [key: string]: JsonValue } = {};
  for (let line = nextLine(cursor); line && line.indent === indent; line = nextLine(cursor)) {
    const parts = keyPattern.exec(line.text);
    if (!parts) return undefined;
    const key = parts[1] ?? parts[2] ?? parts[3] ?? "";
    cursor.at++;
    const value = readValue(cursor, parts[4] ?? "", indent, line);
    if (value === undefined) return undefined;
    setLast(object, key, value, cursor.repairs);
  }
  return object;
}

function readSequence(cursor: Cursor, indent: number): JsonValue[] | undefined {
  const items: JsonValue[] = [];
  for (let line = nextLine(cursor); line && line.indent === indent; line = nextLine(cursor)) {
    const parts = /^-(\s+)(.*)$/.exec(line.text) ?? (line.text === "-" ? ["", " ", ""] : undefined);
    if (!parts) return items;
    const [, gap = " ", rest = ""] = parts;
    const inner = indent + 1 + gap.length;
    const isMapping = keyPattern.test(rest) && !/^["']/.test(rest);
    let value: JsonValue | undefined;
    if (isMapping) {
      // The mapping begins behind the dash, as if on a line of its own.
      cursor.lines[cursor.at] = { indent: inner, text: rest, raw: " ".repeat(inner) + rest };
      if (cursor.depth > 40) return undefined;
      cursor.depth++;
      value = readMapping(cursor, inner);
      cursor.depth--;
    } else {
      cursor.at++;
      value = readValue(cursor, rest, indent, line);
    }
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

/** The value behind a key or a dash: on the same line, or in the lines below it. */
function readValue(cursor: Cursor, rest: string, indent: number, line: Line): JsonValue | undefined {
  const text = stripComment(rest);
  if (text.length < rest.trim().length) noteRepair(cursor.repairs, "comment");
  if (/^[|>][-+\d]*$/.test(text)) return readBlock(cursor, text, indent);
  if (text === "") return readNested(cursor, indent, line);
  if (/^["']/.test(text)) return readQuoted(cursor, rest);
  if (/^[[{]/.test(text)) return readFlow(cursor, text);
  return scalar(readPlain(cursor, text, indent));
}

function readNested(cursor: Cursor, indent: number, line: Line): JsonValue | undefined {
  const next = nextLine(cursor);
  if (!next) return null;
  const isItem = /^-(?:\s|$)/.test(next.text);
  const deeper = next.indent > indent || (isItem && next.indent === indent && !line.text.startsWith("-"));
  if (!deeper || cursor.depth > 40) return deeper ? undefined : null;
  cursor.depth++;
  const value = isItem
    ? readSequence(cursor, next.indent)
    : keyPattern.test(next.text)
      ? readMapping(cursor, next.indent)
      : scalarBelow(cursor, next);
  cursor.depth--;
  return value;
}

function scalarBelow(cursor: Cursor, line: Line): JsonValue | undefined {
  cursor.at++;
  return readValue(cursor, line.text, line.indent - 1, line);
}

/** A plain scalar may go on in deeper lines, which are joined by spaces. */
function readPlain(cursor: Cursor, text: string, indent: number): string {
  let value = text;
  for (let line = cursor.lines[cursor.at]; line && line.text !== "" && line.indent > indent; ) {
    if (keyPattern.test(line.text) || /^-\s/.test(line.text)) break;
    value += ` ${line.text}`;
    cursor.at++;
    line = cursor.lines[cursor.at];
  }
  return value;
}

function stripComment(text: string): string {
  if (/^["']/.test(text)) return text;
  if (!/^[[{]/.test(text)) return text.replace(/\s+#.*$/, "").trim();
  return text.replace(/("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|\s#.*$/g, (_, quoted) => quoted ?? "").trim();
}

function readBlock(cursor: Cursor, header: string, indent: number): string {
  const folded = header.startsWith(">");
  const chomp = /-/.test(header) ? "-" : /\+/.test(header) ? "+" : "";
  const given = /[1-9]/.exec(header)?.[0];
  const lines: Line[] = [];
  for (let line = cursor.lines[cursor.at]; line && (line.text === "" || line.indent > indent); ) {
    lines.push(line);
    cursor.at++;
    line = cursor.lines[cursor.at];
  }
  const first = lines.find((line) => line.text !== "");
  const inner = given === undefined ? (first?.indent ?? indent + 1) : indent + Number(given);
  const texts = lines.map((line) => line.raw.slice(inner));
  // The line break in front of the end tag belongs to the tag.
  const isLast = cursor.at >= cursor.lines.length;
  if (isLast && texts.at(-1)?.trim() === "") texts.pop();
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
  const body = value.replace(/\n+$/, "");
  if (chomp === "-") return body;
  if (chomp === "+") return `${value}\n`;
  return body === "" ? "" : `${body}\n`;
}

/** A quoted scalar, which may go on over several lines. */
function readQuoted(cursor: Cursor, rest: string): JsonValue | undefined {
  const quote = rest[0] ?? '"';
  const closed = quote === '"' ? /^"((?:[^"\\]|\\[\s\S])*)"\s*(#.*)?$/ : /^'((?:[^']|'')*)'\s*(#.*)?$/;
  let text = rest;
  for (;;) {
    const parts = closed.exec(text);
    if (parts) {
      if (parts[2] !== undefined) noteRepair(cursor.repairs, "comment");
      return unquote(parts[1] ?? "", quote);
    }
    const line = cursor.lines[cursor.at];
    if (!line) return undefined;
    text += line.text === "" ? "\n" : text.endsWith("\n") ? line.text : ` ${line.text}`;
    cursor.at++;
  }
}

function unquote(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  const value = parseJson(`"${text}"`, jsonReading(true, []));
  return typeof value === "string" ? value : text;
}

/** `[a, b]` and `{a: 1}`, over as many lines as it takes. */
function readFlow(cursor: Cursor, text: string): JsonValue | undefined {
  let whole = text;
  for (;;) {
    const value = parseInner(whole, cursor.repairs) ?? parseInner(quoteBare(whole), cursor.repairs);
    if (value !== undefined) return value;
    const line = cursor.lines[cursor.at];
    if (!line || whole.length > 20_000) return undefined;
    whole += ` ${line.text}`;
    cursor.at++;
  }
}

/** Words of a flow value that are no JSON get quotes; what stands in quotes stays. */
function quoteBare(text: string): string {
  return text.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(^|[[,{:]\s*)([^\s"'[\]{},:][^"'[\]{},:]*?)(?=\s*(?:[,\]}:]|$))/g,
    (whole, before, word) =>
      word !== undefined && typeof scalar(word) === "string" ? `${before}${JSON.stringify(word)}` : whole,
  );
}

function scalar(text: string): JsonValue {
  if (/^(?:null|~|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) {
    // JSON has no infinity.
    return Number.isFinite(Number(text)) ? Number(text) : text;
  }
  return text;
}

/** Writes orders into texts and finds them again, for the model that obeys what it reads. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";

/** A tool call that a hostile text asks for. */
export interface Order {
  readonly tool: string;
  /** The arguments as JSON text. */
  readonly argumentsText: string;
}

/** Returns an order as text: `CALL bash {"command": "ls"}`. */
export function written(tool: string, args: Readonly<Record<string, JsonValue>>): string {
  return `CALL ${tool} ${JSON.stringify(args)}`;
}

/** Returns an order without spaces and quotes, for places such as the name of a branch. */
export function writtenInName(tool: string, args: Readonly<Record<string, JsonValue>>): string {
  return `CALL-${tool}-${Buffer.from(JSON.stringify(args)).toString("hex")}`;
}

/** Returns a text in characters of the Unicode tag block, which no screen shows. */
export function hidden(text: string): string {
  return [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join("");
}

/** Returns the orders in a text from beginning to end. Leaves out an order that is cut off. */
export function ordersIn(text: string): Order[] {
  const shown = text.replace(/[\u{e0020}-\u{e007e}]/gu, (tag) =>
    String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000),
  );
  const found = [...shown.matchAll(/CALL ([a-z_]+) \{|CALL-([a-z_]+)-([0-9a-f]+)/g)];
  return found.flatMap((match) => {
    const [whole, tool = match[2] ?? "", , hex] = match;
    const text = hex === undefined ? objectAt(shown, match.index + whole.length - 1) : unhex(hex);
    return isObject(text) ? [{ tool, argumentsText: text }] : [];
  });
}

function unhex(hex: string): string {
  return Buffer.from(hex, "hex").toString("utf8");
}

/** Returns the text from an opening brace to its closing brace; empty when it is not closed. */
function objectAt(text: string, start: number): string {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === "{") depth += 1;
    else if (!quoted && character === "}") depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return "";
}

function isObject(text: string): boolean {
  try {
    const value: JsonValue = JSON.parse(text);
    return isJsonObject(value);
  } catch {
    return false;
  }
}

/** Returns every string in a tool result or message, including those in JSON inside of strings. */
export function textsIn(text: string): string[] {
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === "object" && value !== null ? leaves(value) : [text];
  } catch {
    return [text];
  }
}

function leaves(value: JsonValue): string[] {
  if (typeof value === "string") return textsIn(value);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((inner) => leaves(inner));
}

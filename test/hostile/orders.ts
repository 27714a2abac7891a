/** Orders that stand in texts, as a model that obeys whatever it reads would take them. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";

/** A tool call that somebody wants to be made. */
export interface Order {
  readonly tool: string;
  /** JSON text. */
  readonly argumentsText: string;
}

/** How an order is written: `CALL bash {"command": "ls"}`. */
export function written(tool: string, args: Readonly<Record<string, JsonValue>>): string {
  return `CALL ${tool} ${JSON.stringify(args)}`;
}

/** The same where blanks and quotes cannot stand, as in the name of a branch. */
export function writtenInName(tool: string, args: Readonly<Record<string, JsonValue>>): string {
  return `CALL-${tool}-${Buffer.from(JSON.stringify(args)).toString("hex")}`;
}

/** The same in characters of the Unicode block of tags, which no screen shows. */
export function hidden(text: string): string {
  return [...text].map((character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join("");
}

/** All orders in a text, in their order. What is cut off is none. */
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

/** From an opening brace to the brace that closes it. */
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

/** Every text in a tool result or message, also inside JSON that stands in a text. */
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

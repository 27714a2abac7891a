/**
 * Reads calls in which the line feeds between the tags are written as the two characters `\n`, because a server has escaped the
 * text twice: `<tool_call>\n<function=read_file>\n...`. Such a call is read from its unescaped text.
 */
import type { DetectEvent } from "../types.ts";
import { backslash, greaterThan, lessThan, lineFeed } from "./characters.ts";
import { endOf, isNameChar, peek, type Reader, readWhole, takeUntil, wholeInput } from "./input.ts";
import { Output } from "./output.ts";
import { type Opener, type Scan, tryOpeners } from "./scan.ts";

/** The maximum length of the first tag, in characters. */
const maxTag = 200;
/** The maximum length of a name after the first tag, in characters. */
const maxName = 80;
/** The searches for end tags that are not found may read this many characters in one reply. */
const maxInVain = 65_536;

/** Returns the openers, after one that reads an escaped call if `\n` in two characters follows the tag that begins here. */
export function* withEscaped(scan: Scan, openers: readonly Opener[]): Reader<readonly Opener[]> {
  const framed = openers.filter(({ kind, literal }) => kind === "framed" && literal.startsWith("<"));
  const [first] = framed;
  const name = first && (yield* escapedName(scan, first.literal));
  if (first === undefined || name === undefined) return openers;
  return [{ ...first, read: (scan) => readEscaped(scan, framed, name) }, ...openers];
}

/** Returns the name of the tag that begins here, if `\n` in two characters follows the tag; else undefined. */
function* escapedName({ input }: Scan, literal: string): Reader<string | undefined> {
  let end = literal.endsWith(">") ? literal.length - 1 : literal.length;
  for (let code = yield* peek(input, end); code !== greaterThan; code = yield* peek(input, end)) {
    if (code === -1 || code === lessThan || code === lineFeed || end > maxTag) return undefined;
    end += 1;
  }
  // GLM has the name of the tool between its tag and the line feed.
  const gap = yield* endOf(input, end + 1, maxName, isNameChar);
  if ((yield* peek(input, gap)) !== backslash || (yield* peek(input, gap + 1)) !== 110) return undefined;
  return /^<([\w:.-]+)/.exec(input.text.slice(input.pos, input.pos + end + 1))?.[1];
}

function* readEscaped(scan: Scan, openers: readonly Opener[], name: string): Reader<boolean> {
  const { input, out } = scan;
  if (scan.lookedInVain > maxInVain) return false;
  const close = `</${name}>`;
  const written = yield* takeUntil(input, close);
  if (written === undefined) {
    scan.lookedInVain += input.text.length;
    return false;
  }
  const found = readInside(scan, openers, unescaped(written + close));
  if (found === undefined) return false;
  for (const event of found) {
    if (event.type === "text-delta" || event.type === "reasoning-delta") out.text(event.text);
    else out.add(event);
    if (event.type === "tool-call-start") out.nextIndex += 1;
  }
  out.forgetText();
  return true;
}

/** Returns the events of the calls in a text; undefined if one of them cannot be read, or if other text follows. */
function readInside(scan: Scan, openers: readonly Opener[], text: string): DetectEvent[] | undefined {
  const out = new Output();
  out.nextIndex = scan.out.nextIndex;
  out.channel = scan.out.channel;
  const input = wholeInput(text);
  const refusal = readWhole(tryOpeners({ ...scan, input, out }, openers));
  const events = out.flush();
  const isBroken = events.some(({ type }) => type === "tool-call-error");
  if (refusal !== undefined || isBroken || input.text.slice(input.pos).trim() !== "") return undefined;
  return events.map((event) =>
    event.type === "tool-call-end" ? { ...event, repairs: [...event.repairs, "invalid-escape"] } : event,
  );
}

/**
 * Returns the text of a call without its escapes. If it has quotation marks that are not escaped, only the line feeds beside tags
 * were written as two characters.
 */
function unescaped(text: string): string {
  if (/(?:^|[^\\])"/.test(text)) return text.replace(/(?<=>)(?:\\[nrt])+|(?:\\[nrt])+(?=<)/g, "\n");
  return text.replace(/\\(["\\/nrt])/g, (_escape, sign: string) => signs[sign] ?? sign);
}

const signs: { readonly [sign: string]: string } = { n: "\n", r: "\r", t: "\t" };

/**
 * Reads code fences. With `onlyAlone` their content is text. Otherwise a fence is read as calls if it contains only calls,
 * the sentence before it does not say that it is an example ("like this:"), its language is not one of programs, and
 * - its language says so (```` ```tool_call ````), or the sentence before it announces an action ("Let me read it:"), or
 * - nothing follows it in the reply, or another fence of calls, or directly the markup of a call or a thought.
 * All other content of a fence is text, even if it looks like a call.
 */
import { carriageReturn, hyphen, lessThan, lineFeed, space } from "../scan/characters.ts";
import { at, endOf, isWordChar, peek, type Reader, skipSpace, take } from "../scan/input.ts";
import { type Opener, openersHere, type Scan, tryOpeners } from "../scan/scan.ts";
import { beginsLine, isAnnouncedAction, isShown } from "../scan/standing.ts";

/** The maximum length of the name of a language after a fence, in characters. */
const maxLanguage = 31;
/** The languages of data, or none. A fence with the name of a programming language contains a program. */
const dataLanguages = /^(?:|jsonc?|json5|xml|ya?ml|text|plaintext|txt)$/i;
const actionLanguages = /^(?:tool[_-]?calls?|tool|tools|tool[_-]?code|function[_-]?calls?|action|call)$/i;

export function fenceOpener(literal: "```" | "~~~"): Opener {
  return {
    literal,
    format: "fenced-json",
    standing: "anywhere",
    kind: "fence",
    glance: (scan) => scan.openFence !== undefined || mayOpen(scan, literal),
    read: (scan) => (scan.openFence === undefined ? openFence(scan, literal) : closeFence(scan)),
  };
}

/** Returns true at a line's start, or if only a language follows, or nothing and no code span is open; "more" if unknown. */
function mayOpen({ input, out, lastCode }: Scan, literal: string): boolean | "more" {
  const before = out.recentText();
  if (!isWordChar(lastCode) && beginsLine(before)) return true;
  const start = input.pos + literal.length;
  const [word = ""] = /^[\w-]*\r?/.exec(input.text.slice(start, start + maxLanguage)) ?? [];
  if (start + word.length < input.text.length) {
    const isAlone = input.text.charCodeAt(start + word.length) === lineFeed;
    return isAlone && (word.trim() !== "" || before.split(literal).length % 2 === 1);
  }
  return word.length < maxLanguage && !input.ended ? "more" : false;
}

/** Reads the fence that closes a block: at a line's end, before a tag, or at a line's start if it began after words. */
function* closeFence(scan: Scan): Reader<boolean> {
  const { input, out, openFence: fence = "```" } = scan;
  if (!(yield* at(input, fence))) return false;
  const ahead = yield* endOf(input, fence.length, Number.POSITIVE_INFINITY, (code) => code === space);
  const code = yield* peek(input, ahead);
  const isAlone = code === lineFeed || code === carriageReturn || code === -1;
  const isBeforeTag = code === lessThan && !scan.onlyAlone;
  if (!isAlone && !isBeforeTag && !(scan.fenceInLine && beginsLine(out.recentText()))) return false;
  scan.openFence = undefined;
  // The backticks before a tag do not begin a code span.
  if (isBeforeTag) out.shownText(fence);
  else out.text(fence);
  input.pos += fence.length;
  return true;
}

function* openFence(scan: Scan, literal: string): Reader<boolean> {
  const { input, out } = scan;
  const before = out.recentText();
  scan.hadFence = true;
  scan.fenceInLine = !beginsLine(before);
  if (!scan.onlyAlone && !isShown(before)) {
    const mark = input.hold();
    out.begin();
    scan.insideFence = true;
    const isAction = (yield* readFencedCalls(scan, literal, before)) && out.holdsCall();
    scan.insideFence = false;
    if (isAction) out.commit();
    else out.drop();
    if (!isAction) input.rewind(mark);
    input.release();
    if (isAction) return true;
  }
  const mark = literal.charCodeAt(0);
  const length = yield* endOf(input, 0, Number.POSITIVE_INFINITY, (code) => code === mark);
  const fence = literal.charAt(0).repeat(length);
  scan.openFence = fence;
  input.pos += fence.length;
  out.text(fence);
  return true;
}

/** Reads fences one after another. Returns false if they contain anything but calls, or if they are an example. */
function* readFencedCalls(scan: Scan, literal: string, before: string): Reader<boolean> {
  const { input } = scan;
  for (;;) {
    input.pos += literal.length;
    const length = yield* endOf(input, 0, maxLanguage, (code) => isWordChar(code) || code === hyphen);
    const language = input.text.slice(input.pos, input.pos + length);
    input.pos += length;
    if (!dataLanguages.test(language) && !actionLanguages.test(language)) return false;
    if (!(yield* readBlock(scan, literal))) return false;
    if (actionLanguages.test(language) || isAnnouncedAction(before)) return true;
    const end = input.offset;
    const next = yield* skipSpace(input);
    if (next === -1) return true;
    if (yield* at(input, literal)) continue;
    const following = yield* openersHere(scan);
    if (!following?.values.some((opener) => opener.kind === "framed" || opener.kind === "thought")) {
      return false;
    }
    input.rewind(end);
    return true;
  }
}

/** Reads calls up to the closing fence or, with a repair, the end of an uncut text. Returns false if anything else is there. */
function* readBlock(scan: Scan, literal: string): Reader<boolean> {
  const { input, out } = scan;
  for (let count = 0; ; count += 1) {
    const code = yield* skipSpace(input);
    if (count > 0) {
      if (yield* take(input, literal)) return true;
      if (code === -1) {
        out.repairLast("missing-end-tag");
        return !input.cut;
      }
    }
    const found = yield* openersHere(scan);
    const calls = found?.values.filter((opener) => opener.kind === "framed" || opener.kind === "plain") ?? [];
    if (calls.length === 0 || (yield* tryOpeners(scan, calls)) !== undefined) return false;
  }
}

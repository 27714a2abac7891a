/**
 * Reads the calls in the text of a model that has native calls (`DetectorOptions.onlyAlone`). Such a model seldom calls in
 * text, so text is a call only if it stands alone: it begins a line, no fence, list mark, number, quotation mark or indent
 * is before it, and only calls follow to the end of the reply. Everything else is text that quotes or shows a call.
 */
import { carriageReturn, lineFeed, space, tab } from "./characters.ts";
import { peek, type Reader, takeFirst } from "./input.ts";
import { messageEnds, replyEnds } from "./reply-end.ts";
import {
  type FurthestRead,
  type Opener,
  openersHere,
  restoreState,
  type Scan,
  stateOf,
  tryOpeners,
} from "./scan.ts";
import { isShown } from "./standing.ts";

/** The search for further calls after a call may read up to this many times the length of the reply without success. */
const vainFactor = 4;
/** The number of characters that this search may read without success in addition to the limit of `vainFactor`. */
const vainFloor = 8192;

/** Returns true if an opener of this kind may begin here, judged by the text before it. Resets `midLine` on a new line. */
export function beginsAlone(scan: Scan, kind: Opener["kind"]): boolean {
  const before = scan.out.recentText();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (line.length < before.length) scan.midLine = false;
  if (scan.midLine) return false;
  // Some models begin each reply with one space.
  const isEmpty = line === "" || line === " ";
  if (!isEmpty && !(kind === "thought" && recipient.test(line))) return false;
  if (scan.hadFence && (kind === "plain" || endsInFence(before.slice(0, before.length - line.length)))) {
    return false;
  }
  return !isShown(before);
}

/** The text that Glimmer writes before the mark of a message that does not begin the reply. */
const recipient = /^ to=[\w.:-]+$/;

/** Returns true if the last line that is not empty is a fence. The text after it may still belong to the code block. */
function endsInFence(before: string): boolean {
  const trimmed = before.trimEnd();
  return /^\s*(?:```|~~~)/.test(trimmed.slice(trimmed.lastIndexOf("\n") + 1));
}

/** Reads the call that begins here and the calls after it. If they do not stand alone, all of it becomes text. */
export function* readAlone(scan: Scan, candidates: readonly Opener[]): Reader<FurthestRead> {
  const { input, out } = scan;
  const before = stateOf(scan);
  const mark = input.hold();
  let furthest = mark;
  for (const opener of candidates) {
    const alone = beginsAlone(scan, opener.kind);
    if (!alone && opensWithinText(scan, opener)) continue;
    out.begin();
    const refusal = yield* tryOpeners(scan, [opener]);
    if (refusal !== undefined) {
      out.drop();
      furthest = Math.max(furthest, refusal);
      continue;
    }
    if (!out.holdsResult()) {
      // A thought begins a new line; other markup within a line does not.
      if (!alone && before.channel === out.channel && opener.kind !== "thought") scan.midLine = true;
      out.commit();
    } else {
      out.noteCalls(mark, [opener]);
      const end = alone ? yield* readToEnd(scan) : input.offset;
      if (end === undefined) out.commit();
      else {
        out.drop();
        restoreState(scan, before);
        input.rewind(mark);
        out.shownText(input.takeTo(end));
      }
    }
    input.release();
    return undefined;
  }
  input.release();
  return furthest;
}

/** Returns true if markup of a message or a thought is inside text: then the text is about the markup. */
function opensWithinText({ message, thoughtEnds }: Scan, { kind, glance }: Opener): boolean {
  // An end tag has a glance, which has judged it.
  return kind === "thought" && glance === undefined && message === undefined && thoughtEnds.length === 0;
}

/** Reads calls up to the end of the reply. Returns the offset after the last call if other text follows, else undefined. */
function* readToEnd(scan: Scan): Reader<number | undefined> {
  const { input, out } = scan;
  for (;;) {
    const end = input.offset;
    let breaks = 0;
    let code = yield* peek(input);
    while (code === space || code === tab || code === lineFeed || code === carriageReturn) {
      if (code === lineFeed) breaks += 1;
      else if (code !== carriageReturn && breaks > 0) return end;
      input.pos += 1;
      code = yield* peek(input);
    }
    out.text(input.rawFrom(end));
    if (code === -1) return undefined;
    if (yield* takeReplyEnd(scan)) continue;
    if (!(yield* takeMore(scan))) return end;
  }
}

function* takeReplyEnd({ input, out }: Scan): Reader<boolean> {
  const token = yield* takeFirst(input, [...replyEnds, ...messageEnds]);
  if (token !== undefined) out.text(token);
  return token !== undefined;
}

/** Reads one more call, or markup of a call. Returns false if there is none, or if too much was read in vain. */
function* takeMore(scan: Scan): Reader<boolean> {
  const { input } = scan;
  if (scan.triedInVain > vainFloor + vainFactor * input.offset) return false;
  const found = (yield* openersHere(scan))?.values.filter(({ kind }) => kind !== "fence") ?? [];
  if (found.length === 0) return false;
  const from = input.offset;
  const refusal = yield* tryOpeners(scan, found);
  if (refusal === undefined) return true;
  scan.triedInVain += refusal - from;
  return false;
}

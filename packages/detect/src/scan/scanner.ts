/** Walks over the text once: passes text on, stops where something could begin, and lets its readers try. */
import { at, isWordChar, type Reader } from "./input.ts";
import type { LiteralMatch } from "./literals.ts";
import { type Opener, type Refusal, type Session, tryOpeners } from "./session.ts";
import { isShown, mayStand } from "./standing.ts";
import { readCallInThought } from "./thought.ts";

/** Text that was tried and refused may be read again up to this many times its length, so that time stays linear. */
const rereadFactor = 4;
const rereadFloor = 8192;
/** Refusals that looked no further than this are not counted: they cost no more than the match of a literal. */
const shortLook = 64;

/** Reads the whole reply; ends when the text has ended. */
export function* scan(session: Session): Reader<void> {
  const { input } = session;
  let reread = 0;
  for (const opener of session.starters) {
    if ((yield* at(input, opener.literal)) && (yield* tryOpeners(session, [opener])) === undefined) break;
  }
  for (;;) {
    const found = yield* nextOpener(session);
    if (!found) return;
    const start = input.offset;
    const refusal = yield* tryHere(session, found);
    if (refusal === undefined) continue;
    const looked = refusal - start;
    if (looked > shortLook) reread += looked;
    // The whole of what was looked at is still in the window: nothing has been passed on since.
    const tooMuch = looked > shortLook && reread > rereadFloor + rereadFactor * refusal;
    passOn(session, tooMuch ? looked : 1);
  }
}

/** Passes text on up to the next place where an opener stands, and stays in front of it. */
function* nextOpener(session: Session): Reader<LiteralMatch<Opener> | undefined> {
  const { input, openers } = session;
  for (;;) {
    const { text, pos } = input;
    let found: LiteralMatch<Opener> | "more" | undefined;
    let at = nextTrigger(session, text, pos, pos);
    while (at < text.length) {
      found = openers.match(text, at, input.ended);
      if (found !== undefined) break;
      at = nextTrigger(session, text, at + 1, pos);
    }
    passOn(session, at - pos);
    if (found !== undefined && found !== "more") return found;
    if (found === undefined && input.ended) return undefined;
    session.idle = found === undefined;
    yield;
    session.idle = false;
  }
}

/**
 * The next place at or after `from` where the first character of an opener stands; the length of the text for none. The
 * text begins at `start`; in front of it stands the last character that was passed on.
 */
export function nextTrigger(session: Session, text: string, from: number, start: number): number {
  const { triggers } = session;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) continue;
    const kind = triggers[code];
    if (kind === 0) continue;
    if (kind === 1 || !isWordChar(at > start ? text.charCodeAt(at - 1) : session.lastCode)) return at;
  }
  return text.length;
}

function passOn(session: Session, count: number): void {
  const { input, out } = session;
  if (count === 0) return;
  const end = input.pos + count;
  out.text(input.text.slice(input.pos, end));
  session.lastCode = input.text.charCodeAt(end - 1);
  input.pos = end;
}

function* tryHere(session: Session, found: LiteralMatch<Opener>): Reader<Refusal> {
  const { input, out } = session;
  const nowhere = input.offset;
  const possible = yield* glanceAt(session, found.values);
  if (possible.length === 0) return nowhere;
  const before = out.recentText();
  const thinking = session.thoughtEnds.length > 0;
  const fenced = session.openFence !== undefined;
  const candidates = possible.filter((opener) => {
    if (fenced) return opener.kind === "fence";
    if (thinking && (opener.kind === "plain" || opener.kind === "fence")) return false;
    return mayStand(opener.standing, before);
  });
  if (candidates.length === 0) return nowhere;
  const calls = candidates.filter((opener) => opener.kind === "framed" || opener.kind === "plain");
  if (calls.length > 0) {
    if (thinking) return yield* readCallInThought(session, calls);
    if (isShown(before)) return yield* readShown(session, calls);
  }
  const refusal = yield* tryOpeners(session, candidates);
  if (refusal === undefined) session.lastCode = 10;
  return refusal;
}

function* glanceAt(session: Session, openers: readonly Opener[]): Reader<readonly Opener[]> {
  const possible: Opener[] = [];
  for (const opener of openers) {
    if (!opener.glance || (yield* opener.glance(session))) possible.push(opener);
  }
  return possible;
}

/** Reads what would be a call as the text that it is here, so that nothing inside it is taken for a call either. */
function* readShown(session: Session, calls: readonly Opener[]): Reader<Refusal> {
  const { input, out } = session;
  const mark = input.hold();
  out.begin();
  const refusal = yield* tryOpeners(session, calls);
  out.drop();
  if (refusal === undefined) out.shownText(input.rawFrom(mark));
  input.release();
  return refusal;
}

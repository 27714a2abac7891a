/** Walks over the text once: passes text on, stops where something could begin, and lets its readers try. */
import { isWordChar, type Reader } from "./input.ts";
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
    const { text } = input;
    let at = input.pos;
    let found: LiteralMatch<Opener> | "more" | undefined;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!session.isTrigger(code)) continue;
      if (isWordChar(code) && isWordChar(at > input.pos ? text.charCodeAt(at - 1) : session.lastCode))
        continue;
      found = openers.match(text, at, input.ended);
      if (found !== undefined) break;
    }
    passOn(session, at - input.pos);
    if (found !== undefined && found !== "more") return found;
    if (input.ended && found === undefined) return undefined;
    yield;
  }
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
  const before = out.recentText();
  const thinking = session.thoughtEnds.length > 0;
  const fenced = session.openFence !== undefined;
  const candidates = found.values.filter((opener) => {
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

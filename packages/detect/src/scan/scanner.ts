/** Scans the reply: passes text on, stops at each opener, and tries the readers of that opener. */
import { beginsAlone, readAlone } from "./alone.ts";
import { at, type Reader } from "./input.ts";
import { type Opener, type Refusal, type Session, tryOpeners } from "./session.ts";
import { isShown, mayStand } from "./standing.ts";
import { readCallInThought } from "./thought.ts";
import { nextTrigger } from "./triggers.ts";

/** Refused text is read again, in total up to this many times the length of the text so far, so that time stays linear. */
const rereadFactor = 4;
/** The number of characters that may be read again in addition to the limit of `rereadFactor`. */
const rereadFloor = 8192;
/** The number of characters up to which a refusal is not counted, because it costs no more than matching a literal. */
const shortLook = 64;

/** Reads the whole reply; ends when the text has ended. */
export function* scan(session: Session): Reader<void> {
  const { input } = session;
  let reread = 0;
  for (const opener of session.starters) {
    if ((yield* at(input, opener.literal)) && (yield* tryAny(session, [opener])) === undefined) break;
  }
  for (;;) {
    while (!findOpeners(session)) {
      if (input.ended) return;
      input.absorb = () => !findOpeners(session);
      yield;
      if (session.found !== undefined) break;
    }
    const start = input.offset;
    const refusal = yield* tryHere(session, session.found ?? []);
    session.found = undefined;
    if (refusal === undefined) continue;
    const looked = refusal - start;
    if (looked > shortLook) reread += looked;
    // All the text that was read is still in the window, because none of it has been passed on.
    const tooMuch = looked > shortLook && reread > rereadFloor + rereadFactor * refusal;
    passOn(session, tooMuch ? looked : 1);
  }
}

/**
 * Passes text on up to the next openers that are valid at their place, stores them as `session.found` and returns true.
 * Returns false if none is known yet, also at the end of the text. Sets `session.idle`.
 */
function findOpeners(session: Session): boolean {
  const { input, openers, triggers } = session;
  const { text } = input;
  let at = nextTrigger(triggers, text, input.pos, session.lastCode);
  while (at < text.length) {
    const match = openers.match(text, at, input.ended);
    if (match === "more") break;
    if (match !== undefined) {
      passOn(session, at - input.pos);
      const possible = glanceAt(session, match.values);
      if (possible === "more") break;
      const found = possible.filter((opener) => mayBegin(session, opener));
      if (found.length > 0) {
        session.found = found;
        session.idle = false;
        return true;
      }
    }
    at = nextTrigger(triggers, text, at + 1, text.charCodeAt(at));
  }
  passOn(session, at - input.pos);
  session.idle = at === text.length && !input.ended;
  return false;
}

function glanceAt(session: Session, openers: readonly Opener[]): readonly Opener[] | "more" {
  let possible: Opener[] | undefined;
  for (const [count, opener] of openers.entries()) {
    const glance = opener.glance?.(session) ?? true;
    if (glance === "more") return glance;
    if (glance) possible?.push(opener);
    else possible ??= openers.slice(0, count);
  }
  return possible ?? openers;
}

/** Returns true if the opener is valid at the current position. */
function mayBegin(session: Session, { kind, standing }: Opener): boolean {
  if (session.openFence !== undefined) return kind === "fence";
  if (session.thoughtEnds.length > 0 && (kind === "plain" || kind === "fence")) return false;
  return mayStand(standing, session);
}

function passOn(session: Session, count: number): void {
  const { input, out } = session;
  if (count === 0) return;
  const end = input.pos + count;
  out.text(input.text.slice(input.pos, end));
  session.lastCode = input.text.charCodeAt(end - 1);
  input.pos = end;
}

function* tryHere(session: Session, candidates: readonly Opener[]): Reader<Refusal> {
  const calls = candidates.filter((opener) => opener.kind === "framed" || opener.kind === "plain");
  if (calls.length > 0) {
    const standing = session.onlyAlone ? calls.filter(({ kind }) => beginsAlone(session, kind)) : calls;
    if (standing.length === 0) return yield* readShown(session, calls);
    if (session.thoughtEnds.length > 0) return yield* readCallInThought(session, standing);
    if (isShown(session.out.recentText())) return yield* readShown(session, calls);
  }
  const refusal = yield* tryAny(session, candidates);
  if (refusal === undefined) session.lastCode = 10;
  return refusal;
}

function* tryAny(session: Session, candidates: readonly Opener[]): Reader<Refusal> {
  const alone = session.onlyAlone && candidates.every(({ kind }) => kind !== "fence");
  return yield* alone ? readAlone(session, candidates) : tryOpeners(session, candidates);
}

/** Passes on as text a call that the reply only shows. It is read as a whole, so that no text inside it is taken for a call. */
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

/** Scans the reply: passes text on, stops at each opener, and tries the readers of that opener. */
import { beginsAlone, readAlone } from "./alone.ts";
import { withEscaped } from "./escaped-frame.ts";
import { lineRule, readInLine } from "./in-line.ts";
import { at, type Reader } from "./input.ts";
import { type FurthestRead, type Opener, type Scan, tryOpeners } from "./scan.ts";
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
export function* scanReply(scan: Scan): Reader<void> {
  const { input } = scan;
  let reread = 0;
  for (const opener of scan.starters) {
    if ((yield* at(input, opener.literal)) && (yield* tryAny(scan, [opener])) === undefined) break;
  }
  for (;;) {
    while (!findOpeners(scan)) {
      if (input.ended) return;
      input.absorb = () => !findOpeners(scan);
      yield;
      if (scan.found !== undefined) break;
    }
    const start = input.offset;
    const found = scan.found ?? [];
    const refusal = yield* tryHere(scan, found);
    scan.found = undefined;
    if (refusal === undefined) {
      scan.out.noteCalls(start, found);
      continue;
    }
    const looked = refusal - start;
    if (looked > shortLook) reread += looked;
    // All the text that was read is still in the window, because none of it has been passed on.
    const tooMuch = looked > shortLook && reread > rereadFloor + rereadFactor * refusal;
    passOn(scan, tooMuch ? looked : 1);
  }
}

/**
 * Passes text on up to the next openers that are valid at their place, stores them as `scan.found` and returns true.
 * Returns false if none is known yet, also at the end of the text. Sets `scan.idle`.
 */
function findOpeners(scan: Scan): boolean {
  const { input, openers, triggers } = scan;
  const { text } = input;
  let at = nextTrigger(triggers, text, input.pos, scan.lastCode);
  while (at < text.length) {
    const match = openers.match(text, at, input.ended);
    if (match === "more") break;
    if (match !== undefined) {
      passOn(scan, at - input.pos);
      const possible = glanceAt(scan, match.values);
      if (possible === "more") break;
      const found = possible.filter((opener) => mayBegin(scan, opener));
      if (found.length > 0) {
        scan.found = found;
        scan.idle = false;
        return true;
      }
    }
    at = nextTrigger(triggers, text, at + 1, text.charCodeAt(at));
  }
  passOn(scan, at - input.pos);
  scan.idle = at === text.length && !input.ended;
  return false;
}

function glanceAt(scan: Scan, openers: readonly Opener[]): readonly Opener[] | "more" {
  let possible: Opener[] | undefined;
  for (const [count, opener] of openers.entries()) {
    const glance = opener.glance?.(scan) ?? true;
    if (glance === "more") return glance;
    if (glance) possible?.push(opener);
    else possible ??= openers.slice(0, count);
  }
  return possible ?? openers;
}

/** Returns true if the opener is valid at the current position. */
function mayBegin(scan: Scan, { kind, standing }: Opener): boolean {
  if (scan.openFence !== undefined) return kind === "fence";
  if (scan.thoughtEnds.length > 0 && (kind === "plain" || kind === "fence")) return false;
  return mayStand(standing, scan);
}

function passOn(scan: Scan, count: number): void {
  const { input, out } = scan;
  if (count === 0) return;
  const end = input.pos + count;
  out.text(input.text.slice(input.pos, end));
  scan.lastCode = input.text.charCodeAt(end - 1);
  input.pos = end;
}

function* tryHere(scan: Scan, found: readonly Opener[]): Reader<FurthestRead> {
  const candidates = yield* withEscaped(scan, found);
  const calls = candidates.filter((opener) => opener.kind === "framed" || opener.kind === "plain");
  if (calls.length > 0) {
    const standing = scan.onlyAlone ? calls.filter(({ kind }) => beginsAlone(scan, kind)) : calls;
    if (standing.length === 0) return yield* readShown(scan, calls);
    if (scan.thoughtEnds.length > 0) return yield* readCallInThought(scan, standing);
    if (isShown(scan.out.recentText())) return yield* readShown(scan, calls);
  }
  const rule = lineRule(scan, candidates);
  if (rule !== undefined) return yield* readInLine(scan, candidates, rule);
  const refusal = yield* tryAny(scan, candidates);
  if (refusal === undefined) scan.lastCode = 10;
  return refusal;
}

function* tryAny(scan: Scan, candidates: readonly Opener[]): Reader<FurthestRead> {
  const alone = scan.onlyAlone && candidates.every(({ kind }) => kind !== "fence");
  return yield* alone ? readAlone(scan, candidates) : tryOpeners(scan, candidates);
}

/** Passes on as text a call that the reply only shows. It is read as a whole, so that no text inside it is taken for a call. */
function* readShown(scan: Scan, calls: readonly Opener[]): Reader<FurthestRead> {
  const { input, out } = scan;
  const mark = input.hold();
  out.begin();
  const refusal = yield* tryOpeners(scan, calls);
  out.drop();
  if (refusal === undefined) out.shownText(input.rawFrom(mark));
  input.release();
  return refusal;
}

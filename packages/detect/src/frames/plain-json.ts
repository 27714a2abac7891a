/**
 * JSON calls without any markup: an object or a list of objects in the text. All of it must be calls of tools on offer,
 * or it stays text.
 */
import { type Draft, newDraft, settleDraft } from "../call/draft.ts";
import { readCallList, readCallObject, topPlace } from "../call/read-call-object.ts";
import { isSpace, peek, type Reader } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";

export function plainObjectOpener(): Opener {
  return {
    literal: "{",
    format: "json",
    standing: "value",
    kind: "plain",
    glance: followedByQuote,
    *read(session, mark) {
      const draft = newDraft(mark, session.insideFence ? "fenced-json" : "json", "plain");
      return yield* aside(session, readCallObject(session, draft, topPlace));
    },
  };
}

export function plainListOpener(): Opener {
  return {
    literal: "[",
    format: "json-list",
    standing: "value",
    kind: "plain",
    glance: followedByObject,
    *read(session, mark) {
      const draft = newDraft(mark, session.insideFence ? "fenced-json" : "json-list", "plain");
      const nested = session.out.isAside;
      if (!nested) session.out.begin();
      return yield* aside(session, readCallList(session, draft, topPlace), nested);
    },
  };
}

/** Reads and settles calls; what was put aside on the way is handed out, or dropped when it was text. */
function* aside(session: Session, reader: Reader<Draft[]>, nested = session.out.isAside): Reader<boolean> {
  const { out } = session;
  const taken = yield* settleAll(session, yield* reader);
  if (!nested && out.isAside) {
    if (taken) out.commit();
    else out.drop();
  }
  return taken;
}

/** Settles the drafts when every one of them is a call; a plain object that is read whole is one or it is none. */
function* settleAll(session: Session, drafts: readonly Draft[]): Reader<boolean> {
  if (drafts.some((draft) => draft.outcome === "not-a-call")) return false;
  let taken = drafts.length > 0;
  for (const draft of drafts) taken = settleDraft(session, draft) && taken;
  if (taken) yield* skipSeparator(session);
  return taken;
}

/** `;` or `,` between two calls belongs to neither. */
export function* skipSeparator(session: Session): Reader<void> {
  const { input } = session;
  let ahead = 0;
  while (ahead < 40 && isSpace(yield* peek(input, ahead))) ahead++;
  const code = yield* peek(input, ahead);
  if (code !== 59 && code !== 44) return;
  let next = ahead + 1;
  while (next < 80 && isSpace(yield* peek(input, next))) next++;
  if ((yield* peek(input, next)) === 123) input.pos += next;
}

function followedByQuote(session: Session, index: number): boolean | "more" {
  const code = firstAfter(session, index);
  return code === undefined ? "more" : code === 34 || code === 39;
}

function followedByObject(session: Session, index: number): boolean | "more" {
  const code = firstAfter(session, index);
  return code === undefined ? "more" : code === 123;
}

/** The first character behind the white space behind the index, -1 at the end of the text; undefined while there is none yet. */
function firstAfter({ input }: Session, index: number): number | undefined {
  let at = index + 1;
  while (at < index + 200 && isSpace(input.text.charCodeAt(at))) at++;
  return at < input.text.length ? input.text.charCodeAt(at) : input.ended ? -1 : undefined;
}

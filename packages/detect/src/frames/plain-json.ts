/**
 * JSON calls without any markup: an object or a list of objects in the text. All of it must be calls of tools on offer,
 * or it stays text.
 */
import { keyRole, longestKey } from "../call/call-keys.ts";
import { type Draft, newDraft, settleDraft } from "../call/draft.ts";
import { readCallList, readCallObject, topPlace } from "../call/read-call-object.ts";
import { type Input, isSpace, peek, type Reader } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";

export function plainObjectOpener(): Opener {
  return {
    literal: "{",
    format: "json",
    standing: "value",
    kind: "plain",
    glance: beginsLikeCall,
    *read(session, mark) {
      const draft = newDraft(mark, session.insideFence ? "fenced-json" : "json", "plain");
      return yield* settleAll(session, yield* readCallObject(session, draft, topPlace));
    },
  };
}

export function plainListOpener(): Opener {
  return {
    literal: "[",
    format: "json-list",
    standing: "value",
    kind: "plain",
    glance: holdsCall,
    *read(session, mark) {
      const draft = newDraft(mark, session.insideFence ? "fenced-json" : "json-list", "plain");
      // A later item may show that all of it is data.
      if (!session.out.isAside) session.out.begin();
      return yield* settleAll(session, yield* readCallList(session, draft, topPlace));
    },
  };
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

/** Whether the object begins with a key that a call can begin with; data seldom does. */
function beginsLikeCall({ input }: Session): boolean | "more" {
  return callKeyStands(input, input.pos);
}

function holdsCall({ input }: Session): boolean | "more" {
  const brace = spaceEnd(input, input.pos + 1);
  if (brace >= input.text.length) return input.ended ? false : "more";
  return input.text.charCodeAt(brace) === 123 && callKeyStands(input, brace);
}

/** Whether behind the brace at the index stands a key of a call, in quotation marks and with a colon. */
function callKeyStands(input: Input, brace: number): boolean | "more" {
  const { text } = input;
  const missing = input.ended ? false : "more";
  const start = spaceEnd(input, brace + 1);
  if (start >= text.length) return missing;
  const quote = text.charAt(start);
  if (quote !== '"' && quote !== "'") return false;
  const end = text.indexOf(quote, start + 1);
  const key = text.slice(start + 1, end < 0 ? text.length : end);
  if (key.length > longestKey) return false;
  if (end < 0) return missing;
  if (keyRole(key) === "unknown") return false;
  const colon = spaceEnd(input, end + 1);
  return colon >= text.length ? missing : text.charCodeAt(colon) === 58;
}

/** The first index at or after `from` that holds no white space, or one beyond the limit. */
function spaceEnd({ text }: Input, from: number): number {
  let at = from;
  while (at < from + 200 && isSpace(text.charCodeAt(at))) at++;
  return at;
}

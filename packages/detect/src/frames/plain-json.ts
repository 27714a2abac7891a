/**
 * JSON calls without any markup: an object or a list of objects in the text. All of it must be calls of tools on offer,
 * or it stays text.
 */
import { keyRole, maxKey } from "../call/call-keys.ts";
import { type Draft, newDraft, settleDraft } from "../call/draft.ts";
import { readCallList, readCallObject, topPlace } from "../call/read-call-object.ts";
import { colon, comma, openBrace, semicolon } from "../scan/characters.ts";
import { type Input, isSpace, peek, type Reader, spaceEnd } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";

export function plainObjectOpener(): Opener {
  return {
    literal: "{",
    format: "json",
    standing: "value",
    kind: "plain",
    // Data seldom begins with a key that a call can begin with.
    glance: ({ input }) => callKeyStands(input, input.pos),
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

/** Settles the drafts when every one of them is a call; a plain object is known once it is read whole. */
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
  const ahead = yield* spaceEnd(input, 0, 40);
  const code = yield* peek(input, ahead);
  if (code !== semicolon && code !== comma) return;
  const next = yield* spaceEnd(input, ahead + 1, 40);
  if ((yield* peek(input, next)) === openBrace) input.pos += next;
}

function holdsCall({ input }: Session): boolean | "more" {
  const brace = afterSpace(input, input.pos + 1);
  if (brace >= input.text.length) return input.ended ? false : "more";
  return input.text.charCodeAt(brace) === openBrace && callKeyStands(input, brace);
}

/** Tells whether a key of a call follows the brace at the index, in quotation marks and with a colon. */
function callKeyStands(input: Input, brace: number): boolean | "more" {
  const { text } = input;
  const missing = input.ended ? false : "more";
  const start = afterSpace(input, brace + 1);
  if (start >= text.length) return missing;
  const quote = text.charAt(start);
  if (quote !== '"' && quote !== "'") return false;
  const end = text.indexOf(quote, start + 1);
  const key = text.slice(start + 1, end < 0 ? text.length : end);
  if (key.length > maxKey) return false;
  if (end < 0) return missing;
  if (keyRole(key) === "unknown") return false;
  const afterKey = afterSpace(input, end + 1);
  return afterKey >= text.length ? missing : text.charCodeAt(afterKey) === colon;
}

/** Returns the first index at or after `from` that holds no white space, or one beyond the limit. */
function afterSpace({ text }: Input, from: number): number {
  let at = from;
  while (at < from + 200 && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

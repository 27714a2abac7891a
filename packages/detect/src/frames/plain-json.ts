/**
 * Reads JSON calls without markup: an object, or a list of objects. All of them must be calls of tools on offer, else they
 * stay text.
 */
import { keyRole, maxKey } from "../call/call-keys.ts";
import { type CallDraft, newDraft, settleDraft } from "../call/draft.ts";
import { readCallList, readCallObject, topPlace } from "../call/read-call-object.ts";
import { colon, comma, openBrace, semicolon } from "../scan/characters.ts";
import { type Input, isSpace, peek, type Reader, spaceEnd } from "../scan/input.ts";
import type { Opener, Scan } from "../scan/scan.ts";

export function plainObjectOpener(): Opener {
  return {
    literal: "{",
    format: "json",
    standing: "value",
    kind: "plain",
    // Few other objects begin with a key of a call.
    glance: ({ input }) => callKeyStands(input, input.pos),
    *read(scan, mark) {
      const draft = newDraft(mark, scan.insideFence ? "fenced-json" : "json", "plain");
      return yield* settleAll(scan, yield* readCallObject(scan, draft, topPlace));
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
    *read(scan, mark) {
      const draft = newDraft(mark, scan.insideFence ? "fenced-json" : "json-list", "plain");
      // Events are held aside, because a later item may show that the whole list is data.
      if (!scan.out.isAside) scan.out.begin();
      return yield* settleAll(scan, yield* readCallList(scan, draft, topPlace));
    },
  };
}

/** Settles the drafts. Returns true if each of them became a call or an error. */
function* settleAll(scan: Scan, drafts: readonly CallDraft[]): Reader<boolean> {
  if (drafts.some((draft) => draft.outcome === "not-a-call")) return false;
  let taken = drafts.length > 0;
  for (const draft of drafts) taken = settleDraft(scan, draft) && taken;
  if (taken) yield* skipSeparator(scan);
  return taken;
}

/** Moves over a `;` or `,` and the white space around it if `{` follows, as between two calls. */
export function* skipSeparator(scan: Scan): Reader<void> {
  const { input } = scan;
  const ahead = yield* spaceEnd(input, 0, 40);
  const code = yield* peek(input, ahead);
  if (code !== semicolon && code !== comma) return;
  const next = yield* spaceEnd(input, ahead + 1, 40);
  if ((yield* peek(input, next)) === openBrace) input.pos += next;
}

function holdsCall({ input }: Scan): boolean | "more" {
  const brace = afterSpace(input, input.pos + 1);
  if (brace >= input.text.length) return input.ended ? false : "more";
  return input.text.charCodeAt(brace) === openBrace && callKeyStands(input, brace);
}

/** Returns true if a quoted key of a call and a colon follow the brace, and "more" if the text is too short to know. */
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

/** Returns the index of the first character from `from` on that is not white space. It reads 200 characters at most. */
function afterSpace({ text }: Input, from: number): number {
  let at = from;
  while (at < from + 200 && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

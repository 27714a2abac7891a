/** Reads Python calls in frames: `<|tool_call_start|>[read_file(path="a.txt")]<|tool_call_end|>`, and the bare list. */
import { type Certainty, type Draft, settleDraft } from "../call/draft.ts";
import { endFrame, skipBroken } from "../frames/end-frame.ts";
import { closeBracket, comma, dot, hyphen, lessThan, openParen, slash } from "../scan/characters.ts";
import { isSpace, isWordChar, type Reader, skipSpace, take } from "../scan/input.ts";
import { framedOpener, type Opener, type Session } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import { readPythonCall } from "./python-call.ts";

export interface PythonFrame {
  readonly open: string;
  readonly ends: readonly string[];
  readonly format: FormatId;
  /** The frame may hold calls of other formats too: a name alone is not a call of this one. */
  readonly shared?: boolean;
}

export function pythonFrameOpener(frame: PythonFrame): Opener {
  return framedOpener(frame.open, frame.format, function* (session, mark) {
    session.input.pos += frame.open.length;
    const drafts = yield* readCalls(session, mark, frame.format, "framed");
    if (drafts.at(-1)?.outcome === "not-a-call" && !breakList(drafts)) return false;
    const last = drafts.at(-1);
    if (!last || (frame.shared && last.name === undefined && !drafts.some(isReported))) return false;
    if (last.outcome === "whole") yield* endFrame(session, frame.ends, last);
    else if (last.outcome === "broken") yield* skipBroken(session, frame.open, frame.ends);
    const body = session.input.rawFrom(mark).slice(frame.open.length);
    let taken = false;
    for (const draft of drafts) taken = settleDraft(session, draft) || taken;
    // The same body and end once more, without the opening mark, is an echo.
    const ended = frame.ends.some((end) => body.endsWith(end));
    while (taken && ended && (yield* take(session.input, body)));
    return taken;
  });
}

/**
 * Gives up the list because its last draft is not a call. Once a call of it has been reported it cannot be text any
 * more: what is not settled is an error. False when nothing has been reported.
 */
function breakList(drafts: Draft[]): boolean {
  if (!drafts.some(isReported)) return false;
  drafts.pop();
  for (const draft of drafts) {
    if (draft.settled === undefined) draft.outcome = "broken";
  }
  delete drafts.at(-1)?.end;
  return true;
}

function isReported(draft: Draft): boolean {
  return draft.index !== undefined;
}

/** `[read_file(path="a.txt"), git_status()]` without a frame: all of it must be calls of tools on offer. */
export function pythonListOpener(): Opener {
  return {
    literal: "[",
    format: "pythonic",
    standing: "value",
    kind: "plain",
    glance: offeredNameFollows,
    *read(session, mark) {
      const drafts = yield* readCalls(session, mark, "pythonic", "plain");
      if (drafts.length === 0 || drafts.some((draft) => draft.outcome !== "whole" || !draft.tool)) {
        return false;
      }
      for (const draft of drafts) settleDraft(session, draft);
      return true;
    },
  };
}

/** Tells whether the list begins with the name of a tool and a parenthesis, and is no index of what stands before it. */
function offeredNameFollows({ input, tools, lastCode }: Session): boolean | "more" {
  if (isWordChar(lastCode) || lastCode === 41 || lastCode === 93) return false;
  const { text, pos, ended } = input;
  let at = pos + 1;
  while (at < pos + 40 && isSpace(text.charCodeAt(at))) at += 1;
  const start = at;
  for (; at < start + 128; at += 1) {
    if (at >= text.length) return ended ? false : "more";
    const code = text.charCodeAt(at);
    if (code === openParen) return tools.resolve(text.slice(start, at)) !== undefined;
    if (!isWordChar(code) && code !== dot && code !== hyphen && code !== slash && code < 128) return false;
  }
  return false;
}

/** Calls in a list, or one after another; a list ends at its bracket. */
function* readCalls(session: Session, mark: number, format: FormatId, certainty: Certainty): Reader<Draft[]> {
  const { input } = session;
  const drafts: Draft[] = [];
  yield* skipSpace(input);
  const inList = yield* take(input, "[");
  for (;;) {
    const code = yield* skipSpace(input);
    if (code === comma && drafts.length > 0) {
      input.pos += 1;
      continue;
    }
    if (inList && code === closeBracket) {
      input.pos += 1;
      return drafts;
    }
    if (drafts.length > 0 && (code === -1 || code === lessThan)) return drafts;
    const before = drafts.at(-1);
    if (before) before.end = input.offset;
    const draft = yield* readPythonCall(
      session,
      drafts.length === 0 ? mark : input.offset,
      format,
      certainty,
      drafts,
    );
    drafts.push(draft);
    if (draft.outcome !== "whole") return drafts;
  }
}

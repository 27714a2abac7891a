/** Reads Python calls in a frame (`<|tool_call_start|>[read_file(path="a.txt")]<|tool_call_end|>`), and lists without a frame. */
import { type CallDraft, type Certainty, settleDraft } from "../call/draft.ts";
import { endFrame, skipBroken } from "../frames/end-frame.ts";
import { noteRepair } from "../json/result.ts";
import {
  closeBracket,
  closeParen,
  comma,
  dot,
  hyphen,
  lessThan,
  openParen,
  slash,
} from "../scan/characters.ts";
import { isSpace, isWordChar, type Reader, skipSpace, take } from "../scan/input.ts";
import { framedOpener, type Opener, type Scan } from "../scan/scan.ts";
import type { FormatId } from "../types.ts";
import { readPythonCall } from "./python-call.ts";

export interface PythonFrame {
  readonly open: string;
  readonly ends: readonly string[];
  readonly format: FormatId;
  /** True if the frame may contain calls of other formats. Then a name alone is not a call of this format. */
  readonly shared?: boolean;
  /** True if the end is optional, so that a missing one is not reported as a repair. */
  readonly endOptional?: boolean;
}

export function pythonFrameOpener(frame: PythonFrame): Opener {
  return framedOpener(frame.open, frame.format, function* (scan, mark) {
    scan.input.pos += frame.open.length;
    const drafts = yield* readCalls(scan, mark, frame.format, "framed");
    if (drafts.at(-1)?.outcome === "not-a-call" && !breakList(drafts)) return false;
    const last = drafts.at(-1);
    if (!last || (frame.shared && last.name === undefined && !drafts.some(isReported))) return false;
    const { ends, endOptional } = frame;
    if (last.outcome === "whole") yield* endFrame(scan, ends, last, scan.input.offset, endOptional);
    else if (last.outcome === "broken") yield* skipBroken(scan, frame.open, frame.ends);
    const body = scan.input.rawFrom(mark).slice(frame.open.length);
    let taken = false;
    for (const draft of drafts) taken = settleDraft(scan, draft) || taken;
    // If the same body and end follow without the opening mark, the model repeated them.
    const ended = frame.ends.some((end) => body.endsWith(end));
    while (taken && ended && (yield* take(scan.input, body)));
    return taken;
  });
}

/**
 * Handles a list whose last draft is not a call. If a call of the list has been reported, the list cannot become text: all calls
 * that are not settled become errors, and it returns true. Returns false if no call has been reported.
 */
function breakList(drafts: CallDraft[]): boolean {
  if (!drafts.some(isReported)) return false;
  drafts.pop();
  for (const draft of drafts) {
    if (draft.settled === undefined) draft.outcome = "broken";
  }
  delete drafts.at(-1)?.end;
  return true;
}

function isReported(draft: CallDraft): boolean {
  return draft.index !== undefined;
}

/** Returns the opener of a list without a frame: `[read_file(path="a.txt"), git_status()]`. All must call tools on offer. */
export function pythonListOpener(): Opener {
  return {
    literal: "[",
    format: "pythonic",
    standing: "value",
    kind: "plain",
    glance: offeredNameFollows,
    *read(scan, mark) {
      const drafts = yield* readCalls(scan, mark, "pythonic", "plain");
      if (drafts.length === 0 || drafts.some((draft) => draft.outcome !== "whole" || !draft.tool)) {
        return false;
      }
      for (const draft of drafts) settleDraft(scan, draft);
      return true;
    },
  };
}

/** Returns true if a tool's name and a parenthesis follow, and `[` is not an index as in `a[`; "more" if unknown. */
function offeredNameFollows({ input, tools, lastCode }: Scan): boolean | "more" {
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

/** Reads calls in a list, up to its closing bracket, or calls one after another. */
function* readCalls(scan: Scan, mark: number, format: FormatId, certainty: Certainty): Reader<CallDraft[]> {
  const { input } = scan;
  const drafts: CallDraft[] = [];
  yield* skipSpace(input);
  const inList = yield* take(input, "[");
  for (;;) {
    const code = yield* skipSpace(input);
    if (code === comma && drafts.length > 0) {
      input.pos += 1;
      continue;
    }
    const last = drafts.at(-1);
    if (code === closeParen && last && certainty === "framed") {
      input.pos += 1;
      noteRepair(last.repairs, "extra-closer");
      continue;
    }
    if (inList && code === closeBracket) {
      input.pos += 1;
      return drafts;
    }
    if (drafts.length > 0 && (code === -1 || code === lessThan)) return drafts;
    const before = drafts.at(-1);
    if (before) before.end = input.offset;
    const start = before ? input.offset : mark;
    const draft = yield* readPythonCall(scan, start, format, certainty, { inList, before: drafts });
    drafts.push(draft);
    if (draft.outcome !== "whole") return drafts;
  }
}

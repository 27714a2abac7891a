/** Calls as JSON between tags: `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` and everything of that shape. */
import { type Certainty, type Draft, newDraft, settleDraft } from "../call/draft.ts";
import { readCallList, readCallObject, topPlace } from "../call/read-call-object.ts";
import { noteRepair } from "../json/result.ts";
import { at, isSpace, peek, type Reader, skipSpace } from "../scan/input.ts";
import type { Opener, Session, Standing } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import { endFrame, skipBroken } from "./end-frame.ts";
import { skipSeparator } from "./plain-json.ts";

/** A frame around JSON. Without end tags the JSON itself ends the call. */
export interface JsonFrame {
  readonly open: string;
  readonly ends: readonly string[];
  readonly format: FormatId;
  /** `plain` for tags that other things use as well: what is no call in them stays text. */
  readonly certainty?: Certainty;
  readonly standing?: Standing;
  /** A missing end tag is no repair: the JSON itself ends the call. */
  readonly endOptional?: boolean;
  /** Only a list, or only an object, makes it a call. */
  readonly only?: "list" | "object";
  /** A few words may stand in front of a list of calls; they are dropped, and reported as a comment. */
  readonly wordsBefore?: boolean;
}

export function jsonFrameOpener(frame: JsonFrame): Opener {
  return {
    literal: frame.open,
    format: frame.format,
    standing: frame.standing ?? "anywhere",
    kind: "framed",
    read: (session, mark) => readJsonFrame(session, mark, frame),
  };
}

function* readJsonFrame(session: Session, mark: number, frame: JsonFrame): Reader<boolean> {
  const { input } = session;
  input.pos += frame.open.length;
  const certainty = frame.certainty ?? "framed";
  const draft = newDraft(mark, frame.format, certainty);
  let code = yield* skipFence(session, draft);
  if (frame.wordsBefore && code !== 123 && code !== 91) code = yield* skipWords(session, draft);
  let drafts: Draft[];
  if (code === 123 && frame.only !== "list") drafts = yield* readCallObject(session, draft, topPlace);
  else if (code === 91 && frame.only !== "object") drafts = yield* readCallList(session, draft, topPlace);
  else return false;
  return yield* finishFrame(session, frame, drafts);
}

/** Moves over words of one line in front of `[{"name"`, as over a comment. */
function* skipWords(session: Session, draft: Draft): Reader<number> {
  const { input } = session;
  for (let ahead = 0; ahead < 80; ahead++) {
    const code = yield* peek(input, ahead);
    if (code === -1 || code === 10 || code === 123) return -1;
    if (code !== 91) continue;
    let inside = ahead + 1;
    while (inside < ahead + 20 && isSpace(yield* peek(input, inside))) inside++;
    if (!(yield* at(input, "{", inside))) return -1;
    inside++;
    while (inside < ahead + 40 && isSpace(yield* peek(input, inside))) inside++;
    if (!(yield* at(input, '"name"', inside))) return -1;
    input.pos += ahead;
    noteRepair(draft.repairs, "comment");
    return code;
  }
  return -1;
}

/** Ends the frame and settles its calls; false when none of them is a call or an error. */
function* finishFrame(session: Session, frame: JsonFrame, drafts: readonly Draft[]): Reader<boolean> {
  const last = drafts.at(-1);
  if (!last) return false;
  const afterBody = session.input.offset;
  if (last.outcome === "whole" && frame.ends.length > 0) {
    yield* skipFence(session, last);
    yield* endFrame(session, frame.ends, last, afterBody, frame.endOptional);
  } else if (last.outcome === "broken") yield* skipBroken(session, frame.open, frame.ends);
  if (frame.ends.length === 0 || frame.endOptional) yield* skipSeparator(session);
  let taken = false;
  for (const draft of drafts) {
    if (settleDraft(session, draft)) taken = true;
    else if (taken) {
      // What is no call behind one that is: it is read once more, as text.
      session.input.rewind(draft.mark);
      for (const end of frame.ends) session.awaitedEnds.add(end);
      return true;
    }
  }
  return taken;
}

/** Moves over white space and over a code fence that a model put inside the tags. */
function* skipFence(session: Session, draft: Draft): Reader<number> {
  const { input } = session;
  const code = yield* skipSpace(input);
  if (code !== 96 || !(yield* at(input, "```"))) return code;
  noteRepair(draft.repairs, "fence");
  input.pos += 3;
  for (const word of ["json", "JSON", "xml"]) {
    if (yield* at(input, word)) input.pos += word.length;
  }
  return yield* skipSpace(input);
}

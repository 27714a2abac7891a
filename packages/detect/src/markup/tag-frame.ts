/**
 * Calls with one tag per argument, in any dress:
 * `<tool_call><function=read_file><parameter=path>a.txt</parameter></function></tool_call>`,
 * `<minimax:tool_call><invoke name="read_file"><parameter name="path">a.txt</parameter></invoke></minimax:tool_call>`.
 */
import { type Draft, settleDraft } from "../call/draft.ts";
import { halfHere } from "../frames/unfinished.ts";
import { noteRepair } from "../json/result.ts";
import { at, peek, type Reader, skipSpace } from "../scan/input.ts";
import type { Opener, Session, Standing } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import { readTagCall } from "./read-tag-call.ts";
import { readTagValue } from "./read-tag-value.ts";
import { keyTagRoles, type TagRoles, tagRoles } from "./roles.ts";
import { type Tag, type TagStyle, tagHere } from "./tag.ts";
import type { Untyped } from "./type-text.ts";
import { type NextCall, taggedValue } from "./value-end.ts";

export interface TagFrame {
  readonly open: string;
  readonly format: FormatId;
  readonly style: TagStyle;
  /** Names of the tags that frame the calls. */
  readonly frames: readonly string[];
  /** The opener is the tag of the call itself, without a frame around it. */
  readonly bare?: boolean;
  readonly untyped?: Untyped;
  /** Values are XML text: entities stand for characters. */
  readonly entities?: boolean;
  /** Several arguments of one name are a list; otherwise the last one counts. */
  readonly repeats?: boolean;
  readonly standing?: Standing;
  /** A line feed inside the tags belongs to the value. */
  readonly keepsLayout?: boolean;
  /** Every tag inside a call is an argument named like it; tags inside it are objects and lists. */
  readonly keyTags?: boolean;
  /** A call with arguments that the tool does not have, or without those it requires, is refused. */
  readonly strict?: boolean;
  /** For calls without a frame: whether the next call begins so far ahead. It ends the value before it for certain. */
  readonly nextCall?: NextCall;
}

export function tagFrameOpener(frame: TagFrame): Opener {
  const roles = frame.keyTags ? keyTagRoles(frame.frames) : tagRoles(frame.frames);
  return {
    literal: frame.open,
    format: frame.format,
    standing: frame.standing ?? "anywhere",
    kind: "framed",
    read: (session, mark) => readTagFrame(session, mark, frame, roles),
  };
}

function* readTagFrame(session: Session, mark: number, frame: TagFrame, roles: TagRoles): Reader<boolean> {
  const { input } = session;
  if (!frame.bare) input.pos += frame.open.length;
  let last: Draft | undefined;
  let taken = false;
  for (;;) {
    const afterCall = input.offset;
    yield* skipSpace(input);
    const tag =
      joinedTag(session, yield* tagHere(input, frame.style)) ??
      (last ? undefined : yield* brokenTag(session));
    const role = tag ? roles(tag) : undefined;
    if (!last && tag?.name === "name" && tag.kind === "open") {
      last = yield* readTagCall(session, frame, roles, tag, mark);
      if (last.outcome === "not-a-call") return false;
      continue;
    }
    if (tag && role === "argument" && last && frame.repeats) {
      // An argument after the end of its call belongs to nothing.
      noteRepair(last.repairs, "dropped-key");
      input.pos += tag.length;
      yield* readTagValue(session, { style: frame.style, roles, own: tag.name, ends: taggedValue }, () => {});
      continue;
    }
    if (tag && role === "call" && !(frame.bare && last)) {
      if (last) taken = settleDraft(session, last) || taken;
      last = yield* readTagCall(session, frame, roles, tag, last ? input.offset : mark);
      if (last.outcome === "not-a-call") {
        if (taken) input.rewind(afterCall);
        return taken;
      }
      continue;
    }
    if (!last) return false;
    if (tag && role === "frame-end") {
      input.pos += tag.length;
    } else {
      if (!frame.bare) yield* missingFrameEnd(session, frame, last);
      if ((yield* peek(input)) !== -1) input.rewind(afterCall);
    }
    return settleDraft(session, last) || taken;
  }
}

/** `function=NAME>`, which lost its first character, or `<function=NAME`, which lost its last one, of a tool on offer. */
function* brokenTag(session: Session): Reader<Tag | undefined> {
  const { input, tools } = session;
  const start = (yield* at(input, "<function=")) ? 10 : 9;
  if (start === 9 && !(yield* at(input, "function="))) return undefined;
  let length = start;
  let code = yield* peek(input, length);
  for (; code !== 62 && code !== 10 && code !== 60; code = yield* peek(input, ++length)) {
    if (code === -1 || length > 140) return undefined;
  }
  const value = input.text.slice(input.pos + start, input.pos + length).trim();
  if (code !== 62 && (start === 9 || tools.resolve(value) === undefined)) return undefined;
  if (code === 62) length++;
  return { kind: "open", name: "function", value, attributes: new Map(), length };
}

/** `<functionNAME>`, of a tool on offer. */
function joinedTag(session: Session, tag: Tag | undefined): Tag | undefined {
  if (tag?.kind !== "open" || tag.value !== undefined || !tag.name.startsWith("function")) return tag;
  const value = tag.name.slice("function".length);
  return session.tools.exact(value) ? { ...tag, name: "function", value } : tag;
}

function* missingFrameEnd(session: Session, frame: TagFrame, last: Draft): Reader<void> {
  const { input } = session;
  const ends = frame.frames.map((name) => `${frame.style.close}${name}${frame.style.end}`);
  noteRepair(last.repairs, "missing-end-tag");
  for (const end of ends) session.awaitedEnds.add(end);
  // Half an end tag at the very end of the text is layout, not text.
  const half = yield* halfHere(input, ends);
  if (half !== undefined) input.pos += half.length;
}

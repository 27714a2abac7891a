/**
 * Reads calls with one tag per argument, in several styles:
 * `<tool_call><function=read_file><parameter=path>a.txt</parameter></function></tool_call>`,
 * `<minimax:tool_call><invoke name="read_file"><parameter name="path">a.txt</parameter></invoke></minimax:tool_call>`.
 */
import { type CallDraft, newDraft, settleDraft } from "../call/draft.ts";
import { skipBroken, skipWord } from "../frames/end-frame.ts";
import { halfHere } from "../frames/unfinished.ts";
import { noteRepair } from "../json/result.ts";
import { greaterThan, lessThan, lineFeed, tab } from "../scan/characters.ts";
import { at, endOf, peek, type Reader, skipSpace } from "../scan/input.ts";
import { framedOpener, framelessOpener, type Opener, type Scan } from "../scan/scan.ts";
import type { TagFrame } from "./frame-options.ts";
import { readTagCall } from "./read-tag-call.ts";
import { readTagValue } from "./read-tag-value.ts";
import { keyTagRoles, type TagRoles, tagRoles } from "./roles.ts";
import { type Tag, tagHere } from "./tag.ts";
import { taggedValue } from "./value-end.ts";

export function tagFrameOpener(frame: TagFrame): Opener {
  const roles = frame.keyTags ? keyTagRoles(frame.frames) : tagRoles(frame.frames);
  const { open, format, standing } = frame;
  const opener = frame.bare ? framelessOpener : framedOpener;
  return opener(open, format, (scan, mark) => readTagFrame(scan, mark, frame, roles), standing);
}

function* readTagFrame(scan: Scan, mark: number, frame: TagFrame, roles: TagRoles): Reader<boolean> {
  const { input } = scan;
  if (!frame.bare) input.pos += frame.open.length;
  if (frame.refusedBy !== undefined && scan.model.includes(frame.refusedBy)) {
    return yield* refuseFrame(scan, mark, frame);
  }
  let last: CallDraft | undefined;
  let taken = false;
  for (;;) {
    const afterCall = input.offset;
    yield* skipSpace(input);
    const tag =
      joinedTag(scan, yield* tagHere(input, frame.style)) ?? (last ? undefined : yield* brokenTag(scan));
    const role = tag ? roles(tag) : undefined;
    if (!last && tag?.name === "name" && tag.kind === "open") {
      last = yield* readTagCall(scan, frame, roles, tag, mark);
      if (last.outcome === "not-a-call") return false;
      continue;
    }
    if (tag && role === "argument" && last && frame.repeats) {
      // An argument after the end of its call is dropped.
      noteRepair(last.repairs, "dropped-key");
      input.pos += tag.length;
      yield* readTagValue(scan, { style: frame.style, roles, own: tag.name, ends: taggedValue });
      continue;
    }
    if (tag && role === "call" && !(frame.bare && last)) {
      if (last) taken = settleDraft(scan, last) || taken;
      last = yield* readTagCall(scan, frame, roles, tag, last ? input.offset : mark);
      if (last.outcome === "not-a-call") {
        if (taken) input.rewind(afterCall);
        return taken;
      }
      continue;
    }
    if (!last) return false;
    if (!tag && input.offset === afterCall && !frame.bare && (yield* skipWord(input, frameEnds(frame)))) {
      noteRepair(last.repairs, "comment");
      continue;
    }
    if (tag && role === "frame-end") {
      input.pos += tag.length;
    } else {
      const isHalf = !frame.bare && (yield* missingFrameEnd(scan, frame, last));
      if (!isHalf && (yield* peek(input)) !== -1) input.rewind(afterCall);
    }
    return settleDraft(scan, last) || taken;
  }
}

/** Reads a frame as one unreadable call. */
function* refuseFrame(scan: Scan, mark: number, frame: TagFrame): Reader<boolean> {
  yield* skipBroken(scan, frame.open, frameEnds(frame));
  const draft = newDraft(mark, frame.format, "framed");
  draft.outcome = "broken";
  return settleDraft(scan, draft);
}

function frameEnds({ frames, style }: TagFrame): string[] {
  return frames.map((name) => `${style.close}${name}${style.end}`);
}

/** Returns the tag in `function=NAME>` or `<function=NAME`, which lost its first or last character; does not move. */
function* brokenTag(scan: Scan): Reader<Tag | undefined> {
  const { input, tools } = scan;
  const start = (yield* at(input, "<function=")) ? 10 : 9;
  if (start === tab && !(yield* at(input, "function="))) return undefined;
  const end = yield* endOf(input, start, 140, ">\n<");
  const value = input.text.slice(input.pos + start, input.pos + end).trim();
  const code = yield* peek(input, end);
  if (code !== greaterThan && code !== lineFeed && code !== lessThan) return undefined;
  if (code !== greaterThan && (start === tab || tools.resolve(value) === undefined)) return undefined;
  const length = code === greaterThan ? end + 1 : end;
  return { kind: "open", name: "function", value, attributes: new Map(), length };
}

/** Returns the tag of a call for `<functionNAME>`, if the tool is on offer; any other tag as it is. */
function joinedTag(scan: Scan, tag: Tag | undefined): Tag | undefined {
  if (tag?.kind !== "open" || tag.value !== undefined || !tag.name.startsWith("function")) return tag;
  const value = tag.name.slice("function".length);
  return scan.tools.exact(value) ? { ...tag, name: "function", value } : tag;
}

/** Reports that the end tag of the frame is missing. If half of the tag is here, moves over it and returns true. */
function* missingFrameEnd(scan: Scan, frame: TagFrame, last: CallDraft): Reader<boolean> {
  const { input } = scan;
  const ends = frameEnds(frame);
  noteRepair(last.repairs, "missing-end-tag");
  for (const end of ends) scan.awaitedEnds.add(end);
  const half = yield* halfHere(input, ends);
  input.pos += half?.length ?? 0;
  return half !== undefined;
}

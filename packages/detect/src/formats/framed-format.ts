/** Builds formats whose calls have a frame of marks around JSON, around one tag per argument, or around Gemma's notation. */
import { type JsonFrame, jsonFrameOpener } from "../frames/json-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { type GemmaFrame, gemmaFrameOpener, unframedGemmaOpeners } from "../gemma/gemma-frame.ts";
import type { TagFrame } from "../markup/frame-options.ts";
import type { TagStyle } from "../markup/tag.ts";
import { tagFrameOpener } from "../markup/tag-frame.ts";
import type { Opener } from "../scan/scan.ts";
import type { CustomFormat } from "../types.ts";
import { gemmaValue } from "../write/gemma-text.ts";
import { each } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import type { FormatId } from "./rows.ts";

type JsonPart = Omit<JsonFrame, "format">;
type TagPart = Omit<TagFrame, "format">;

/** Returns the openers of a custom format. Throws if `open` does not begin with an ASCII character or an end is blank. */
export function customOpeners({ id, open, ...marks }: CustomFormat): readonly Opener[] {
  const ends = marks.ends.map((end) => end.trimStart());
  if (!(open.charCodeAt(0) < 128)) {
    throw new Error(`${id}: "open" must begin with an ASCII character, but it is ${JSON.stringify(open)}.`);
  }
  if (ends.includes("")) {
    throw new Error(`${id}: each of "ends" must be a mark, but they are ${JSON.stringify(marks.ends)}.`);
  }
  return [
    jsonFrameOpener({ open, ends, format: id, endOptional: ends.length === 0 }),
    ...ends.map((end) => strayEndOpener(end, id, isToken(end))),
  ];
}

interface FramedFormat<Frame> extends Omit<Format, "openers"> {
  readonly frames: readonly Frame[];
  /** Special tokens around calls and answers. They are dropped; with `DetectorOptions.onlyAlone` only right after a call. */
  readonly marks?: readonly string[];
  readonly more?: readonly Opener[];
}

export function jsonFormat(format: FramedFormat<JsonPart>): Format {
  return framedFormat(format, (frame, id) => [
    jsonFrameOpener({ ...frame, format: id }),
    ...frame.ends.map((end) => strayEndOpener(end, id, isToken(end))),
  ]);
}

export function tagFormat(format: FramedFormat<TagPart>): Format {
  return framedFormat(format, (frame, id) => {
    const { close, end } = frame.style;
    const ends = frame.bare ? [] : frame.frames.map((name) => `${close}${name}${end}`);
    return [tagFrameOpener({ ...frame, format: id }), ...ends.map((literal) => strayEndOpener(literal, id))];
  });
}

interface GemmaFormat extends Pick<FramedFormat<never>, "marks"> {
  readonly frame: Omit<GemmaFrame, "format">;
}

export function gemmaFormat({ frame, marks = [] }: GemmaFormat): Format {
  const { open, end, quote } = frame;
  const write = each((call) => `${open}call:${call.name}${gemmaValue(call.arguments, quote)}${end}`, "");
  return {
    write,
    openers: (tools, id) => [
      gemmaFrameOpener({ ...frame, format: id }),
      strayEndOpener(end, id, isToken(end)),
      ...unframedGemmaOpeners({ ...frame, format: id }, tools),
      ...marks.map((mark) => strayEndOpener(mark, id, true)),
    ],
  };
}

/** Returns true if an end has the form `...|>`. Such an end is a special token, never text. Other tokens give false. */
function isToken(end: string): boolean {
  return end.endsWith("|>");
}

function framedFormat<Frame>(
  { frames, marks = [], more = [], ...format }: FramedFormat<Frame>,
  openers: (frame: Frame, id: FormatId) => readonly Opener[],
): Format {
  return {
    ...format,
    openers: (_tools, id) => [
      ...frames.flatMap((frame) => openers(frame, id)),
      ...more,
      ...marks.map((mark) => strayEndOpener(mark, id, true)),
    ],
  };
}

/** Returns a frame of tags that also have other uses: content that is not a call stays text. */
export function plainFrame(name: string): JsonPart {
  return { open: `<${name}>`, ends: [`</${name}>`], certainty: "plain" };
}

/** Returns the style of tags with a prefix in their names: `<｜DSML｜invoke>`, `</｜DSML｜invoke>`. */
export function prefixedTags(prefix: string): TagStyle {
  return { open: `<${prefix}`, close: `</${prefix}`, end: ">" };
}

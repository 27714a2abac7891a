/** Builds a format with one tag per argument. */
import { strayEndOpener } from "../frames/stray-end.ts";
import type { TagStyle } from "../markup/tag.ts";
import { type TagFrame, tagFrameOpener } from "../markup/tag-frame.ts";
import type { Opener } from "../scan/session.ts";
import type { Format } from "./format.ts";

interface TagFormat extends Omit<Format, "openers"> {
  readonly frames: readonly Omit<TagFrame, "format">[];
  /** Special tokens around calls and answers, which are never text. */
  readonly marks?: readonly string[];
  readonly more?: readonly Opener[];
}

export function tagFormat({ frames, marks = [], more = [], ...format }: TagFormat): Format {
  return {
    ...format,
    openers: () => [
      ...frames.flatMap((frame) => tagOpeners({ ...frame, format: format.id })),
      ...more,
      ...marks.map((mark) => strayEndOpener(mark, format.id, true)),
    ],
  };
}

function tagOpeners(frame: TagFrame): Opener[] {
  const ends = frame.bare ? [] : frame.frames.map((name) => `${frame.style.close}${name}${frame.style.end}`);
  return [tagFrameOpener(frame), ...ends.map((end) => strayEndOpener(end, frame.format))];
}

/** Tags with a prefix in their names: `<｜DSML｜invoke>`, `</｜DSML｜invoke>`. */
export function prefixedTags(prefix: string): TagStyle {
  return { open: `<${prefix}`, close: `</${prefix}`, end: ">" };
}

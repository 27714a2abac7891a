/** Builds a format whose calls are JSON in a frame. */
import { type JsonFrame, jsonFrameOpener } from "../frames/json-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import type { Opener } from "../scan/session.ts";
import type { Format } from "./format.ts";

type FramePart = Omit<JsonFrame, "format">;

interface JsonFormat extends Omit<Format, "openers"> {
  readonly frames: readonly FramePart[];
  /** Special tokens around calls and answers, which are never text. */
  readonly marks?: readonly string[];
  readonly more?: readonly Opener[];
}

export function jsonFormat({ frames, marks = [], more = [], ...format }: JsonFormat): Format {
  const { id } = format;
  return {
    ...format,
    openers: () => [
      ...frames.flatMap((frame) => [
        jsonFrameOpener({ ...frame, format: id }),
        ...frame.ends.map((end) => strayEndOpener(end, id, end.startsWith("<|"))),
      ]),
      ...more,
      ...marks.map((mark) => strayEndOpener(mark, id, true)),
    ],
  };
}

/** A frame of tags that other things use as well: what is no call in them stays text. */
export function plainFrame(name: string): FramePart {
  return { open: `<${name}>`, ends: [`</${name}>`], certainty: "plain" };
}

/**
 * A mark, the name, and JSON on the next line. Written by Functionary:
 *
 *     >>>read_file
 *     {"path":"a.txt"}
 *
 * The prompt ends with the mark, so a reply may begin with the name.
 */
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import type { Opener } from "../scan/session.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const frame: MarkerFrame = {
  format: "functionary",
  calls: [">>>"],
  between: [],
  ends: [],
  argumentsRequired: true,
};

function replyOpeners(name: string): Opener[] {
  const openers = markerFrameOpeners({ ...frame, calls: [`${name}\n{`], isName: true });
  return openers.map((opener) => ({ ...opener, standing: "start" }));
}

export const functionary: Format = {
  openers: (tools) => [...markerFrameOpeners(frame), ...tools.flatMap(({ name }) => replyOpeners(name))],
  write: each((call) => `>>>${call.name}\n${argumentsJson(call)}`),
};

/**
 * A mark, the name, and JSON on the next line; Functionary:
 *
 *     >>>read_file
 *     {"path": "a.txt"}
 */
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const frame: MarkerFrame = {
  format: "functionary",
  calls: [">>>"],
  between: [],
  ends: [],
  argumentsRequired: true,
};

export const functionary: Format = {
  id: "functionary",
  title: "A name behind >>>, or in a function tag, and JSON",
  models: ["functionary"],
  templateMarks: [">>>"],
  example: '>>>read_file\n{"path": "a.txt"}',
  openers: () => markerFrameOpeners(frame),
  write: each((call) => `>>>${call.name}\n${argumentsJson(call)}`),
};

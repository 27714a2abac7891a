/**
 * A mark, the name, a mark, and JSON, which ends the call. Written by Mistral, Ministral, Magistral, Devstral:
 *
 *     [TOOL_CALLS]read_file[ARGS]{"path":"a.txt"}
 *
 * Older models write a JSON list after the mark; some write `[CALL_ID]` and an id in front of `[ARGS]`.
 */
import { jsonFrameOpener } from "../frames/json-frame.ts";
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const frame: MarkerFrame = {
  format: "mistral",
  calls: ["[TOOL_CALLS]", "[TOOL_CALLS"],
  between: ["[ARGS]"],
  idMarker: "[CALL_ID]",
  ends: [],
  argumentsRequired: true,
  namesAlone: true,
  lateEnds: ["[/TOOL_CALLS]"],
};

/** Returns the frame without the mark before the name, because some servers leave out that special token. */
function unmarked(name: string): MarkerFrame {
  return { ...frame, calls: [`${name}[ARGS]`, `${name}[CALL_ID]`], isName: true };
}

export const mistral: Format = {
  openers: (tools) => [
    jsonFrameOpener({
      open: "[TOOL_CALLS]",
      ends: ["[/TOOL_CALLS]"],
      format: "mistral",
      endOptional: true,
      wordsBefore: true,
    }),
    ...markerFrameOpeners(frame),
    ...tools.flatMap(({ name }) => markerFrameOpeners(unmarked(name))),
    strayEndOpener("[/TOOL_CALLS]", "mistral"),
  ],
  write: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${argumentsJson(call)}`, ""),
};

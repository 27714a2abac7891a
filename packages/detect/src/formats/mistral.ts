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
import { carriageReturn, lineFeed, space, tab } from "../scan/characters.ts";
import { endOf, peek } from "../scan/input.ts";
import type { Opener } from "../scan/scan.ts";
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

/** Returns the openers of a name with JSON directly after it, alone on its line: all marks were left out. */
function bareOpeners(name: string): Opener[] {
  const bare = { ...frame, calls: [`${name}{"`, `${name}{}`], isName: true };
  return markerFrameOpeners(bare).map((opener) => ({
    ...opener,
    standing: "line",
    read: wholeLine(opener.read),
  }));
}

/** Returns a reader that takes calls only if their line ends after them. */
function wholeLine(read: Opener["read"]): Opener["read"] {
  return function* (scan, mark) {
    const { input, out } = scan;
    if (!out.isAside) out.begin();
    if (!(yield* read(scan, mark))) return false;
    const code = yield* peek(input, yield* endOf(input, 0, 80, (code) => code === space || code === tab));
    return code === -1 || code === lineFeed || code === carriageReturn;
  };
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
    ...tools.flatMap(({ name }) => [...markerFrameOpeners(unmarked(name)), ...bareOpeners(name)]),
    strayEndOpener("[/TOOL_CALLS]", "mistral"),
  ],
  write: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${argumentsJson(call)}`, ""),
};

/**
 * The name and JSON between marks with fullwidth bars. Written by DeepSeek V3 and V3.1:
 *
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path":"a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * R1 and Cogito write `function<｜tool▁sep｜>` in front of the name and a fence around the JSON.
 */
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { argumentsJson } from "../write/written-call.ts";
import type { Format } from "./format.ts";

/** Returns the mark of some words (`tool calls begin`) in all spellings that models write. */
function marks(words: string): string[] {
  return ["▁", "_", " ", "\\_"].flatMap((space) =>
    ["｜", "|"].map((bar) => `<${bar}${words.replaceAll(" ", space)}${bar}>`),
  );
}

const sections = marks("tool calls begin").map((open) => [open, open.replace("begin", "end")] as const);
const frame: MarkerFrame = {
  format: "deepseek",
  calls: marks("tool call begin"),
  sections,
  before: marks("tool sep").map((mark) => `function${mark}`),
  between: [...marks("tool sep"), "```json", "```"],
  ends: marks("tool call end"),
};

/** Returns the frame without the mark before the name, or without all marks of R1, because some servers leave them out. */
function unmarked(name: string): MarkerFrame {
  const calls = [`${name}<｜tool▁sep｜>`, `${name}<|tool▁sep|>`, `function${name}\n\`\`\`json`];
  return { ...frame, calls, sections: [], before: ["function"], isName: true, argumentsRequired: true };
}

export const deepseek: Format = {
  openers: (tools) => [
    ...markerFrameOpeners(frame),
    ...tools.flatMap(({ name }) => markerFrameOpeners(unmarked(name))),
    ...sections.map(([, end]) => strayEndOpener(end, "deepseek")),
    ...["outputs▁begin", "outputs▁end", "output▁begin", "output▁end"].map((words) =>
      strayEndOpener(`<｜tool▁${words}｜>`, "deepseek", true),
    ),
  ],
  write: (calls) => {
    const written = calls.map(
      (call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${argumentsJson(call)}<｜tool▁call▁end｜>`,
    );
    return `<｜tool▁calls▁begin｜>${written.join("")}<｜tool▁calls▁end｜>`;
  },
};

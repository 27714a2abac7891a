/**
 * A mark, the name, and JSON on the next line. Written by Functionary:
 *
 *     >>>read_file
 *     {"path":"a.txt"}
 *
 * The prompt ends with the mark, so a reply may begin with the name. Functionary 2 writes `<|from|>assistant`, and on the next lines
 * `<|recipient|>`, the name, `<|content|>` and JSON. Messages to the recipient `all` are for the person.
 */
import { type MarkerFrame, markerFrameOpeners } from "../frames/marker-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import type { Opener } from "../scan/scan.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

const frame: MarkerFrame = {
  format: "functionary",
  calls: [">>>"],
  between: [],
  ends: [],
  argumentsRequired: true,
};

/** The marks before the recipient of a message of Functionary 2. */
const recipients = ["<|from|>assistant\n<|recipient|>", "<|from|> assistant\n<|recipient|>", "<|recipient|>"];
const content = "<|content|>";
const messages: MarkerFrame = { ...frame, calls: recipients, between: [content], lateEnds: ["<|stop|>"] };

/** Returns the openers of a call whose name begins the reply, because the prompt ends with the mark before it. */
function replyOpeners(name: string): Opener[] {
  const named = { ...messages, isName: true };
  const openers = markerFrameOpeners({ ...named, calls: [`${name}\n{`] });
  return [
    ...openers.map((opener): Opener => ({ ...opener, standing: "start" })),
    ...markerFrameOpeners({ ...named, calls: [`${name}\n${content}`] }),
  ];
}

/** Returns the openers that drop the marks of a message for the person. */
function answerOpeners(): Opener[] {
  const marks = recipients.flatMap((mark) => [`${mark}all\n${content}`, `${mark} all\n${content}`]);
  return [
    ...[`all\n${content}`, ...marks].map((mark) => strayEndOpener(mark, "functionary", true)),
    { ...strayEndOpener(">>>all\n", "functionary", true), standing: "line" },
    strayEndOpener("<|stop|>", "functionary"),
  ];
}

export const functionary: Format = {
  openers: (tools) => [
    ...markerFrameOpeners(frame),
    ...markerFrameOpeners(messages),
    ...answerOpeners(),
    ...tools.flatMap(({ name }) => replyOpeners(name)),
  ],
  write: each((call) => `>>>${call.name}\n${argumentsJson(call)}`),
};

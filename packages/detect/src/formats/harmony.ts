/**
 * A message to a function, with JSON. Written by gpt-oss:
 *
 *     <|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a.txt"}<|call|>
 *
 * The header says whether a message is a thought, an answer or a call.
 */
import { channelOpeners } from "../channels/channel-openers.ts";
import { unmarkedMessageOpener } from "../channels/unmarked-message.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const harmony: Format = {
  openers: () => [...channelOpeners([]), unmarkedMessageOpener()],
  write: each(
    (call) =>
      `<|start|>assistant<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${argumentsJson(call)}<|call|>`,
    "",
  ),
};

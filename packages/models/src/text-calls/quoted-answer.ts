/** Decides whether the model's text that a server quotes in an error can be used as the model's answer. */
import { detect } from "@localharness/detect";
import type { ModelRequest } from "@localharness/engine";
import type { ModelEvent } from "@localharness/protocol";
import type { ParserFailure } from "../server-words/parser-failure.ts";
import { sharedTools } from "./shared-tools.ts";
import { readingFor } from "./stands-alone.ts";

/**
 * Returns the events that add the quoted text to the answer and end it. Returns undefined if the text is empty, if the
 * request offers tools and the text has no call of them, or if it offers none and the text may be an explanation. `shown` is the text of the
 * answer so far.
 */
export function quotedAnswer(
  { text: quoted, isMarked }: Pick<ParserFailure, "text" | "isMarked">,
  shown: string,
  request: Pick<ModelRequest, "messages" | "tools">,
): readonly ModelEvent[] | undefined {
  if (quoted.trim() === "" || (request.tools.length === 0 && !isMarked)) return undefined;
  const text = shown === "" || shown.endsWith("\n") ? quoted : `\n${quoted}`;
  if (request.tools.length > 0) {
    const onlyAlone = readingFor(request.messages) === "alone";
    const events = detect(shown + text, { tools: sharedTools(request.tools), onlyAlone });
    if (!events.some(({ type }) => type === "tool-call-end")) return undefined;
  }
  return [
    { type: "text-delta", text },
    { type: "model-end", stopReason: "stop" },
  ];
}

/** Turns the findings of `localharness doctor` into a profile of the model and into sentences for the person. */
import { defined } from "@localharness/protocol";
import type { TriedProfile } from "../model-profiles/tried-profile.ts";
import type { Findings } from "./try-model.ts";

export function profileOf(found: Findings, now: number): TriedProfile {
  const { calls, format, thinks, announces, edit, window, readsPerSecond, writesPerSecond } = found;
  return {
    tuning: {
      ...(calls === "none" ? {} : { toolCalls: calls }),
      ...defined({ format, window }),
      ...(thinks === "opened" ? { startsInReasoning: true } : {}),
    },
    announces,
    ...(edit === undefined || edit === "none" ? {} : { edit }),
    ...defined({ readsPerSecond, writesPerSecond }),
    triedAt: now,
  };
}

const callWords: Readonly<Record<Findings["calls"], string>> = {
  native: "It calls tools natively: nothing needs to be set.",
  text: "It does not call tools natively. From now on the tools are described in its prompt, and its calls are read from its text.",
  none: "It made no tool call in any form. It can talk, but it cannot work with files: choose another model.",
};

const editAdvice: Readonly<Record<NonNullable<Findings["edit"]>, readonly string[]>> = {
  text: [],
  lines: ["It edits files by line numbers, not by their text. From now on it gets only the tools for that."],
  file: [
    "It changes a file only by writing all of it. From now on it gets only the tool for that: keep files short.",
  ],
  none: [
    "It failed to change a file in any form. It can read and explain; choose another model for changes.",
  ],
};

/** Returns the advice, with one or two sentences for each finding. */
export function adviceOf(found: Findings): readonly string[] {
  if (found.broken !== undefined) {
    return [`The server did not answer properly: ${found.broken} Check the server, then try again.`];
  }
  return [
    callWords[found.calls],
    ...(found.calls !== "none" && !found.several
      ? ["It makes one call at a time, so work takes more steps."]
      : []),
    ...(found.wrongTypes.length === 0
      ? []
      : [
          `It writes some arguments with the wrong type (${found.wrongTypes.join(", ")}). They are corrected where the meaning is clear.`,
        ]),
    ...(found.thinks === "opened"
      ? ["Its answers begin inside a thought. From now on the thought is kept apart from the answer."]
      : []),
    ...(found.announces
      ? ["It announces steps without taking them. From now on it is asked up to three times a turn to go on."]
      : []),
    ...(found.edit === undefined ? [] : editAdvice[found.edit]),
    ...(found.window === undefined
      ? []
      : [
          `The server cuts longer prompts: the model sees about ${found.window} tokens. From now on prompts stay below that. Start the server with a larger window if the machine has the memory (Ollama: --num-ctx, llama.cpp: --ctx-size).`,
        ]),
  ];
}

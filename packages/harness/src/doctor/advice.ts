/** Turns findings into a profile and into sentences for the person. */
import { defined } from "@localharness/protocol";
import type { TriedProfile } from "../model-profiles/tried-profile.ts";
import type { Findings } from "./try-model.ts";

export function profileOf(found: Findings, now: number): TriedProfile {
  const { calls, format, thinks, announces, readsPerSecond, writesPerSecond } = found;
  return {
    tuning: {
      ...(calls === "none" ? {} : { toolCalls: calls }),
      ...defined({ format }),
      ...(thinks === "opened" ? { startsInReasoning: true } : {}),
    },
    announces,
    ...defined({ readsPerSecond, writesPerSecond }),
    triedAt: now,
  };
}

const callWords: Readonly<Record<Findings["calls"], string>> = {
  native: "It calls tools natively: nothing needs to be set.",
  text: "It does not call tools natively. From now on the tools are described in its prompt, and its calls are read from its text.",
  none: "It made no tool call in any form. It can talk, but it cannot work with files: choose another model.",
};

/** Returns the advice, one sentence or two for each finding. */
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
      ? [
          'It announces steps without taking them. It is then asked once to go on; say "go on" if it stops again.',
        ]
      : []),
  ];
}

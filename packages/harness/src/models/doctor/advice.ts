/** Turns findings into a profile and into sentences for the person. */
import { defined } from "@localharness/protocol";
import type { TriedProfile } from "../model-profiles/tried-profile.ts";
import type { CheckName, Findings } from "./findings.ts";

/** Returns the profile to save; undefined if no way was found in which the model calls tools. */
export function profileOf(found: Findings, now: number): TriedProfile | undefined {
  const { calls, format, thinks, announces, edit, toolSet, window, readsPerSecond, writesPerSecond } = found;
  if (calls !== "native" && calls !== "text") return undefined;
  return {
    tuning: {
      toolCalls: calls,
      ...defined({ format, window }),
      ...(thinks === "opened" ? { startsInReasoning: true } : {}),
    },
    announces,
    ...(edit === undefined || edit === "none" ? {} : { edit }),
    ...(toolSet === "minimal" ? { toolSet } : {}),
    ...defined({ readsPerSecond, writesPerSecond }),
    triedAt: now,
  };
}

/** Returns the advice, one paragraph for each finding that matters to the person. */
export function adviceOf(found: Findings): readonly string[] {
  if (found.broken !== undefined) {
    return [
      `The server did not answer properly: ${found.broken}`,
      "This says nothing about the model. Look at the server's own output, correct or restart it, then run the doctor again.",
    ];
  }
  if (found.calls === undefined) {
    return [
      `The model is too slow to be tried here: it did not finish a short answer in time. It may still work. A smaller model, or a server that uses the graphics card, answers faster.`,
    ];
  }
  if (found.calls === "none") return [callAdvice.none, ...windowAdvice(found)];
  return [
    callAdvice[found.calls],
    ...(found.several === false ? ["It makes one call at a time, so work takes more steps."] : []),
    ...typeAdvice(found.wrongTypes ?? []),
    ...(found.thinks === "opened"
      ? [
          "Its answers begin inside a thought, and the server does not tell the thought from the answer. From now on they are told apart.",
        ]
      : []),
    ...(found.announces
      ? [
          "It says what it is going to do and then stops. From now on it is asked up to three times a turn to go on.",
        ]
      : []),
    ...(found.edit === undefined ? [] : editAdvice[found.edit]),
    ...(found.toolSet === undefined ? [] : toolAdvice[found.toolSet]),
    ...windowAdvice(found),
    ...unfinishedAdvice(found.unfinished),
  ];
}

const callAdvice = {
  native: "It calls tools natively, the best way: nothing needs to be set.",
  text: "The server passes on no tool calls of this model. From now on the tools are described in its prompt, and its calls are read from its text.",
  none: "It made no tool call in any way. It can talk, but it cannot work with files: choose another model.",
} as const;

function typeAdvice(names: readonly string[]): readonly string[] {
  return names.length === 0
    ? []
    : [
        `It writes some values with the wrong type, such as a number as text (${names.join(", ")}). They are corrected where the meaning is clear.`,
      ];
}

const editAdvice: Readonly<Record<NonNullable<Findings["edit"]>, readonly string[]>> = {
  text: [],
  lines: [
    "It fails to repeat the text that it wants to change, but it knows the numbers of the lines. From now on it gets only the tools that change lines by number.",
  ],
  file: [
    "It changes a file only by writing all of it again. From now on it gets only the tool for that: keep files short.",
  ],
  none: [
    "It failed to change a file in any way. It can read and explain; choose another model to change files.",
  ],
};

const toolAdvice: Readonly<Record<NonNullable<Findings["toolSet"]>, readonly string[]>> = {
  standard: [],
  minimal: ["It picks a wrong tool out of many. From now on it gets only the six most important ones."],
  none: ["It picked a wrong tool even out of six. Expect that it needs help with most tasks."],
};

function windowAdvice({ window }: Findings): readonly string[] {
  return window === undefined
    ? []
    : [
        `The server cuts longer prompts: the model sees about ${window} tokens. From now on prompts stay below that. If the machine has the memory, start the server with a larger window (Ollama: --num-ctx, llama.cpp: --ctx-size).`,
        ...(window < 8_192
          ? [
              "That is little: tools are described more briefly or left out, and older work is often left out of the prompt.",
            ]
          : []),
      ];
}

function unfinishedAdvice(names: readonly CheckName[]): readonly string[] {
  return names.length === 0
    ? []
    : [
        `Not known, because the time was not enough or the server failed: ${names.join(", ")}. What is usual for other models holds there.`,
      ];
}

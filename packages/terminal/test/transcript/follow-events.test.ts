/** Checks what the working line says a turn is doing. */
import type { EventBody } from "@localharness/protocol";
import { expect, test } from "vitest";
import { createTheme } from "../../src/theme/theme.ts";
import { createTranscript } from "../../src/transcript/follow-events.ts";

const begin: EventBody = { type: "iteration-start", iteration: 1 };
const progress: EventBody = {
  type: "prompt-progress",
  totalTokens: 12_000,
  cachedTokens: 800,
  doneTokens: 3_200,
};
const retry: EventBody = { type: "model-retry", attempt: 1, waitMs: 0, message: "again" };

test.each<{ after: EventBody[]; doing: string | undefined }>([
  { after: [], doing: undefined },
  { after: [begin], doing: "waiting for the model" },
  { after: [begin, progress], doing: "reading the prompt: 3,200 of 12,000 tokens, 800 from cache" },
  { after: [begin, { type: "model-phase", phase: "loading", atMs: 2 }], doing: "the server loads the model" },
  {
    after: [begin, { type: "model-phase", phase: "reading", atMs: 2, tokens: 9_000, expectedMs: 60_000 }],
    doing: "reading the prompt: about 0 % of 9,000 tokens",
  },
  {
    after: [
      begin,
      progress,
      { type: "model-phase", phase: "writing", atMs: 9 },
      { type: "text-delta", text: "Yes." },
    ],
    doing: "answering",
  },
  { after: [begin, progress, retry], doing: "waiting for the model" },
  { after: [begin, { ...retry, waitMs: 40_000 }], doing: "waiting to ask the model again" },
  { after: [begin, progress, { type: "reasoning-delta", text: "Hm." }], doing: "thinking, 3 characters" },
  { after: [begin, progress, { type: "text-delta", text: "Yes." }], doing: "answering" },
  { after: [begin, progress, { type: "model-end", stopReason: "stop" }], doing: undefined },
])("$doing", ({ after, doing }) => {
  const transcript = createTranscript({
    theme: () => createTheme("none", {}),
    rawCalls: () => false,
    freeze: () => undefined,
    now: () => 0,
  });
  after.forEach((body, at) => {
    transcript.take({ sessionId: "s", turnId: "t", seq: at + 1, ...body });
  });
  expect(transcript.doing()).toBe(doing);
});

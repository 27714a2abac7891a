/** An answer that says nothing, which tests complete with what they are about. */
import type { TrialAnswer } from "../../../src/models/doctor/ask.ts";

export const silentAnswer: TrialAnswer = {
  text: "",
  reasoning: "",
  calls: [],
  openedThought: false,
  taggedThought: false,
  late: false,
  tooLong: false,
  refusedTools: false,
  firstMs: 0,
  restMs: 0,
};

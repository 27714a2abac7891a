/** Answers that begin inside a thought which the prompt has opened, over both wires and by the profile of the model. */
import { emptyDraft, growDraft, type ModelEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createOllamaChat, createOpenaiChat, withTextToolCalls } from "../../src/index.ts";
import { habitsOfTemplate } from "../../src/request/profile/habits.ts";
import { createProfile } from "../../src/request/profile/model-profile.ts";
import { type ScriptedTurn, startFakeServer } from "../fake-server/index.ts";
import { collect } from "../model-contract.ts";
import { createTestHttp, lsTool, readTool, user } from "../test-request.ts";

const call = '<tool_call>\n{"name": "ls", "arguments": {"path": "."}}\n</tool_call>';

/** The parts of an answer, as a session keeps them. */
function partsOf(events: readonly ModelEvent[]): { text: string; thought: string; calls: string[] } {
  const { text, reasoning, toolCalls } = events.reduce(growDraft, emptyDraft);
  return { text, thought: reasoning, calls: toolCalls.map(({ name }) => name) };
}

const isRestarted = (events: readonly ModelEvent[]) => events.some(({ type }) => type === "answer-restart");

/** Asks for each turn with one profile, and returns the parts of the answers with whether each restarted. */
async function converse(
  wire: "ollama" | "openai",
  turns: readonly ScriptedTurn[],
  profile = createProfile(),
) {
  await using server = await startFakeServer({ turns, deltaChars: 5 });
  const shared = { model: "fake-model", http: createTestHttp(), profile };
  const chat =
    wire === "ollama"
      ? createOllamaChat({ ...shared, provider: "ollama", title: "Ollama", origin: server.origin })
      : createOpenaiChat({ ...shared, provider: "custom", title: "Test", baseUrl: server.baseUrl });
  const thoughts = {
    expected: () => profile.habits.has("starts-in-thought"),
    note: (starts: boolean) => profile.noteThought(starts),
  };
  const model = withTextToolCalls(chat, { thoughts });
  const answers = [];
  for (const _turn of turns) {
    const events = await collect(model, { messages: [user("Do it.")], tools: [lsTool, readTool] });
    answers.push({ ...partsOf(events), restarted: isRestarted(events) });
  }
  return answers;
}

const thinking: ScriptedTurn = { text: `I could ${call} first.\n</think>\n\nIt is done.` };
const thought = `I could ${call} first.\n`;

describe.each(["ollama", "openai"] as const)("over %s", (wire) => {
  test("an end mark moves what came before to the thought, and the next answer begins as one", async () => {
    const profile = createProfile();
    const shared = { text: "\n\nIt is done.", thought, calls: [] };
    expect(await converse(wire, [thinking, thinking], profile)).toEqual([
      { ...shared, restarted: true },
      { ...shared, restarted: false },
    ]);
    expect(profile.learnt()).toEqual(["starts-in-thought"]);
  });

  test("a call after the thought runs, and a native call too", async () => {
    const native = { name: "ls", arguments: { path: "." } };
    const answers = await converse(wire, [
      { text: `I look.\n</think>\n${call}` },
      { text: `I look.\n</think>\n${call}` },
      { text: "I look.\n</think>\n", calls: [native] },
    ]);
    expect(answers.map(({ thought: said, calls }) => [said, calls])).toEqual([
      ["I look.\n", ["ls"]],
      ["I look.\n", ["ls"]],
      ["I look.\n", ["ls"]],
    ]);
  });

  test("without an end mark the answer is text, its calls run, and the next one begins as text", async () => {
    const profile = createProfile([], ["starts-in-thought"]);
    const turns = [{ text: `I look.\n${call}` }, { text: `I look.\n${call}` }];
    expect(await converse(wire, turns, profile)).toEqual([
      { text: "I look.\n", thought: "", calls: ["ls"], restarted: true },
      { text: "I look.\n", thought: "", calls: ["ls"], restarted: false },
    ]);
    expect(profile.learnt()).toEqual([]);
  });

  test("a server that separates thoughts ends the expectation", async () => {
    const profile = createProfile([], ["starts-in-thought"]);
    const [answer] = await converse(wire, [{ reasoning: "I look.", text: "Say it.\n</think>\n" }], profile);
    expect(answer).toEqual({ text: "Say it.\n</think>\n", thought: "I look.", calls: [], restarted: false });
    expect(profile.habits.has("starts-in-thought")).toBe(false);
  });
});

test.each<[string, string, boolean]>([
  ["opens it", "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}", true],
  [
    "opens it unless asked not to",
    "{% if add_generation_prompt %}{% if no %}<think>\n\n</think>{% else %}<think>{% endif %}",
    true,
  ],
  [
    "closes it at once",
    "{% if add_generation_prompt %}{{ 'a\\n<think>\\n\\n</think>\\n\\n' }}{% endif %}",
    false,
  ],
  [
    "names it in the history only",
    "<think>{{ m.thought }}</think>{% if add_generation_prompt %}a{% endif %}",
    false,
  ],
  ["of Ollama, which ends in it", "{{ .Prompt }}<|assistant|><think>\n", true],
])("a template that %s", (_title, template, opens) => {
  expect(habitsOfTemplate(template).includes("starts-in-thought")).toBe(opens);
});

/** Reasoning, and calls inside it. */
import { describe, expect, test } from "vitest";
import { createDetector, type DetectEvent, detect, summarize } from "../../src/index.ts";
import { call, formatContract, readPieces, reasoning, sampleTools, text } from "../format-contract.ts";

const body = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>';
const read = () => call(0, "hermes", "read_file", { path: "a.txt" });
const opened = { options: { startsInReasoning: true } };

const restarted = (before: readonly DetectEvent[], thought: string, after: readonly DetectEvent[]) => [
  ...before,
  { type: "restart" } as const,
  reasoning(thought),
  ...after,
];

formatContract("thoughts that the prompt has opened", [
  ...["</think>", "</thinking>", "</seed:think>", "[/THINK]", "◁/think▷", "<|END_THINKING|>"].map((end) => ({
    name: `ended by ${end}`,
    text: `I look.\n${end}\n\nIt is a.`,
    events: restarted([text("I look.\n")], "I look.\n", [text("\n\nIt is a.")]),
  })),
  {
    name: "in one line",
    text: "First.</think>Then.",
    events: restarted([text("First.")], "First.", [text("Then.")]),
  },
  {
    name: "Gemma's, with the rest of its opening mark",
    text: "thought\nFirst.<channel|>Then.",
    events: restarted([text("thought\nFirst.")], "First.", [text("Then.")]),
  },
  {
    name: "with a call in it, which was only considered, and a call after it",
    text: `Maybe ${body}\nor not.\n</think>\n${body}`,
    events: restarted([text("Maybe "), ...read(), text("\nor not.\n")], `Maybe ${body}\nor not.\n`, [
      text("\n"),
      ...read(),
    ]),
  },
  {
    name: "an end tag at the end of the reply",
    text: "All of it.\n</think>",
    events: restarted([text("All of it.\n")], "All of it.\n", []),
  },
  {
    name: "a second end tag is text",
    text: "First.\n</think>\nThen.\n</think>\n",
    events: restarted([text("First.\n")], "First.\n", [text("\nThen.\n</think>\n")]),
  },
  {
    name: "for a model with native calls",
    text: `First.</think>\n${body}`,
    events: restarted([text("First.")], "First.", [text("\n"), ...read()]),
    options: { onlyAlone: true },
  },
  {
    name: "not with `restarts: false`",
    text: "First.\n</think>\nThen.",
    events: [text("First.\n</think>\nThen.")],
    options: { restarts: false },
  },
]);

test("the sum of the events begins at the restart", () => {
  const {
    text: said,
    reasoning: thought,
    calls,
  } = summarize(detect(`Maybe ${body}\n</think>Then.`, { tools: sampleTools }));
  expect({ said, thought, calls }).toEqual({ said: "Then.", thought: `Maybe ${body}\n`, calls: [] });
});

formatContract("thoughts", [
  {
    name: "opened and closed",
    text: "<think>First.</think>Then.",
    events: [reasoning("First."), text("Then.")],
  },
  {
    name: "opened by the prompt",
    text: "First.</think>Then.",
    events: [reasoning("First."), text("Then.")],
    ...opened,
  },
  {
    name: "opened by the prompt and again",
    text: "<think>First.</think>Then.",
    events: [reasoning("First."), text("Then.")],
    ...opened,
  },
  { name: "never closed", text: "<think>First.", events: [reasoning("First.")] },
  { name: "a lone end tag at the start", text: "</think>Hello", events: [text("Hello")] },
  ...[
    "Say </think> twice",
    "a<think>b</think>",
    'Write "</think>" after it.',
    "Close it (</think>) first.",
    "```\nFirst.\n</think>\n```\n",
    "Say </think> twice.\n</think>\nBoth stay.",
  ].map((input) => ({
    name: `a lone end tag that the text is about stays: ${input}`,
    text: input,
    events: [text(input)],
  })),
  { name: "triangles", text: "◁think▷a◁/think▷b", events: [reasoning("a"), text("b")] },
  {
    name: "triangles in a sentence",
    text: "It writes ◁ or `◁think▷`.",
    events: [text("It writes ◁ or `◁think▷`.")],
  },
  { name: "square brackets", text: "[THINK]a[/THINK]b", events: [reasoning("a"), text("b")] },
  {
    name: "an opener in a code span stays",
    text: "It begins with `[THINK]`, and goes on.",
    events: [text("It begins with `[THINK]`, and goes on.")],
  },
  {
    name: "a channel with its name",
    text: "<|channel>thought\na<channel|>b",
    events: [reasoning("a"), text("b")],
  },
  { name: "a channel without a name", text: "<|channel>a<channel|>b", events: [reasoning("a"), text("b")] },
]);

formatContract("calls in thoughts", [
  {
    name: "the thought is never closed and nothing follows",
    text: `<think>I call ${body}`,
    events: [reasoning("I call "), ...read()],
  },
  {
    name: "the thought is closed and nothing follows",
    text: `<think>I call ${body}\n</think>\n`,
    events: [reasoning("I call "), ...read()],
  },
  {
    name: "an answer follows",
    text: `<think>I could ${body}</think>No.`,
    events: [reasoning(`I could ${body}`), text("No.")],
  },
  {
    name: "the thought goes on",
    text: `<think>Maybe ${body} or not`,
    events: [reasoning(`Maybe ${body} or not`)],
  },
  {
    name: "the call follows the thought",
    text: `<think>Maybe ${body}</think>${body}`,
    events: [reasoning(`Maybe ${body}`), ...read()],
  },
  {
    name: "plain JSON in a thought is never a call",
    text: '<think>{"name":"read_file","arguments":{"path":"a.txt"}}',
    events: [reasoning('{"name":"read_file","arguments":{"path":"a.txt"}}')],
  },
]);

test.each([
  [262_000, true],
  [263_000, false],
])("an end mark after %i characters restarts the reply: %s", (length, restarts) => {
  const detector = createDetector({ tools: sampleTools });
  const line = `${"x".repeat(999)}\n`;
  const pieces = [...Array.from({ length: length / 1_000 }, () => line), "</think>\n", "Then."];
  const events = [...pieces.flatMap((piece) => detector.push(piece)), ...detector.end()];
  expect(events.some(({ type }) => type === "restart")).toBe(restarts);
  expect(summarize(events).text.includes("</think>")).toBe(!restarts);
});

describe("a lone end of a thought right after calls", () => {
  const one = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>';
  const two = "<function=git_status></function>";
  const ends = ["</think>", "</thinking>", "[/THINK]", "◁/think▷", "<|END_THINKING|>", "</think:opensource>"];

  test.each(ends)("%s, with nothing after it", (end) => {
    for (const [before, after] of [
      ["So.\n", ""],
      ["So. I look at it ", "\n"],
    ]) {
      const reply = `${before}${one}\n${two}\n${end}${after}`;
      const events = detect(reply, { tools: sampleTools });
      expect(summarize(events)).toMatchObject({
        calls: [{ name: "read_file" }, { name: "git_status" }],
        reasoning: before,
      });
      for (let index = 1; index < reply.length; index += 1) {
        const pieces = [reply.slice(0, index), reply.slice(index)];
        expect(readPieces(pieces, { tools: sampleTools }), `split at ${index}`).toEqual(events);
      }
    }
  });

  test("a call before words was only considered", () => {
    const { calls, reasoning: thought } = summarize(
      detect(`So.\n${one}\nOr rather:\n${two}</think>`, { tools: sampleTools }),
    );
    expect([calls.map(({ name }) => name), thought]).toEqual([["git_status"], `So.\n${one}\nOr rather:\n`]);
  });

  test("a call without markup was only considered", () => {
    const reply = '{"name":"read_file","arguments":{"path":"a.txt"}}</think>';
    expect(summarize(detect(reply, { tools: sampleTools })).calls).toEqual([]);
  });
});

formatContract("thoughts whose marks have a suffix", [
  {
    name: "with both marks",
    text: "<think:opensource>Hm.</think:opensource>So.",
    events: [reasoning("Hm."), text("So.")],
  },
  {
    name: "that the prompt has opened",
    text: "Hm.</think:opensource>So.",
    options: { startsInReasoning: true },
    events: [reasoning("Hm."), text("So.")],
  },
  { name: "not at the start of a line", text: "Say <think:a>b", events: [text("Say <think:a>b")] },
]);

/** Reasoning, and calls inside it. */
import { call, formatContract, reasoning, text } from "../format-contract.ts";

const body = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>';
const read = () => call(0, "hermes", "read_file", { path: "a.txt" });
const opened = { options: { startsInReasoning: true } };

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
  {
    name: "a lone end tag after text stays",
    text: "Say </think> twice",
    events: [text("Say </think> twice")],
  },
  {
    name: "an opener in the middle of a line stays",
    text: "a<think>b</think>",
    events: [text("a<think>b</think>")],
  },
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

/** Names and JSON between marks: the events if a mark is missing, doubled or in another place. */
import { call, formatContract, text } from "../format-contract.ts";

const shown = '{"path": "a.txt"}';
const read = (
  index: number,
  more: Parameters<typeof call>[4] = {},
  format: "mistral" | "kimi-k2" = "mistral",
) => call(index, format, "read_file", { path: "a.txt" }, { shown, ...more });
const status = (index: number, more: Parameters<typeof call>[4] = {}) =>
  call(index, "mistral", "git_status", {}, { shown: "{}", ...more });
const incomplete = (raw: string, name: string) =>
  ({
    type: "tool-call-error",
    raw,
    reason: "incomplete",
    message: `The text ended inside the call of ${name}.`,
    format: "mistral",
    name,
  }) as const;

const noName = (raw: string, format: "kimi-k2" | "deepseek" | "hermes", isNamed = true) => ({
  type: "tool-call-error" as const,
  raw,
  reason: "unknown-tool" as const,
  message: "The call names no tool. The tools on offer: read_file.",
  format,
  ...(isNamed ? { name: "" } : {}),
});
const one = {
  options: {
    tools: [{ name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } }],
  },
};
const kimiEmpty = `<|tool_call_begin|><|tool_call_argument_begin|>${shown}<|tool_call_end|>`;
const hermesEmpty = `<tool_call>{"arguments": ${shown}}</tool_call>`;
const kimiNumber = `<|tool_call_begin|>functions.:0<|tool_call_argument_begin|>${shown}<|tool_call_end|>`;
const deepseekEmpty = `<｜tool▁call▁begin｜><｜tool▁sep｜>${shown}<｜tool▁call▁end｜>`;
const deepseekBroken =
  '<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"name": "read_file", "arguments": malformed}<｜tool▁call▁end｜>';

formatContract("a frame without a name takes no tool, not even the only one", [
  { name: "Kimi", text: kimiEmpty, events: [noName(kimiEmpty, "kimi-k2")], ...one },
  { name: "Kimi, with a number", text: kimiNumber, events: [noName(kimiNumber, "kimi-k2")], ...one },
  { name: "Hermes", text: hermesEmpty, events: [noName(hermesEmpty, "hermes", false)], ...one },
  { name: "DeepSeek", text: deepseekEmpty, events: [noName(deepseekEmpty, "deepseek")], ...one },
  {
    name: "DeepSeek, with a call that cannot be read as its arguments",
    text: deepseekBroken,
    events: [
      { type: "tool-call-start", index: 0, name: "read_file", format: "deepseek" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"name": "read_file", "arguments": malformed}' },
      {
        type: "tool-call-error",
        raw: deepseekBroken,
        reason: "invalid-arguments",
        message: "The arguments of read_file contain a whole call that cannot be read.",
        format: "deepseek",
        name: "read_file",
      },
    ],
    ...one,
  },
]);

formatContract("special tokens that are dropped", [
  {
    name: "Inkling's end of a sample",
    text: "Hello<|content_model_end_sampling|>",
    events: [text("Hello")],
  },
  { name: "Kimi K3's beginning of a message", text: "<|open|>message<|sep|>Hello", events: [text("Hello")] },
  {
    name: "Sarashina's mark of calls",
    text: `<|tool_calls|>[{"name": "read_file", "arguments": ${shown}}]`,
    events: call(0, "granite", "read_file", { path: "a.txt" }, { shown }),
  },
]);

formatContract("Mistral", [
  {
    name: "calls whose mark was left out",
    text: `Now. read_file[ARGS]${shown}git_status[CALL_ID]123456789[ARGS]{}`,
    events: [text("Now. "), ...read(0), ...status(1, { id: "123456789" })],
  },
  {
    name: "a name without an object is text",
    text: "Write my_read_file[ARGS]{} or read_file[ARGS] and JSON.",
    events: [text("Write my_read_file[ARGS]{} or read_file[ARGS] and JSON.")],
  },
  {
    name: "a further call without the mark",
    text: `[TOOL_CALLS]read_file[ARGS]${shown}git_status[ARGS]{} Done.`,
    events: [...read(0), ...status(1), text(" Done.")],
  },
  {
    name: "further calls without any marks, behind commas",
    text: `[TOOL_CALLS]read_file${shown}, git_status{}, read_file${shown}`,
    events: [...read(0), ...status(1), ...read(2)],
  },
  {
    name: "behind a call, the name of a tool in a sentence",
    text: `[TOOL_CALLS]read_file${shown}git_status comes next`,
    events: [...read(0), text("git_status comes next")],
  },
  {
    name: "an end mark behind named calls",
    text: `[TOOL_CALLS]read_file[ARGS]${shown}[/TOOL_CALLS] ok`,
    events: [...read(0), text(" ok")],
  },
  {
    name: "the mark twice",
    text: `[TOOL_CALLS][TOOL_CALLS]read_file[ARGS]${shown}`,
    events: read(0),
  },
  {
    name: "a list of one around the arguments",
    text: `[TOOL_CALLS]read_file[ARGS][${shown}]`,
    events: read(0, { shown: `[${shown}]`, repairs: ["extra-closer"] }),
  },
  {
    name: "the whole call in place of its arguments",
    text: `[TOOL_CALLS]read_file[ARGS]{"name": "read_file", "arguments": ${shown}}`,
    events: read(0, {
      shown: `{"name": "read_file", "arguments": ${shown}}`,
      repairs: ["argument-key"],
    }),
  },
  {
    name: "a tool that takes nothing, and the end",
    text: "[TOOL_CALLS]git_status[ARGS]",
    events: status(0, { repairs: ["missing-arguments"] }),
  },
  {
    name: "a tool that takes something, and the end",
    text: "[TOOL_CALLS]read_file[ARGS]",
    events: [incomplete("[TOOL_CALLS]read_file[ARGS]", "read_file")],
  },
  {
    name: "the end behind a name that may be longer",
    text: "[TOOL_CALLS]git_status",
    events: [incomplete("[TOOL_CALLS]git_status", "git_status")],
  },
  { name: "words behind the mark", text: "[TOOL_CALLS] is a mark", events: [text("[TOOL_CALLS] is a mark")] },
]);

const id = "functions.read_file:0";
const kimi = (name: string, args: string) =>
  `<|tool_call_begin|>${name}<|tool_call_argument_begin|>${args}<|tool_call_end|>`;

formatContract("Kimi K2", [
  {
    name: "a call outside of a section",
    text: `Now.${kimi(id, shown)}`,
    events: [text("Now."), ...read(0, { id }, "kimi-k2")],
  },
  {
    name: "a fence around the arguments",
    text: kimi(id, `\`\`\`json\n${shown}\n\`\`\``),
    events: read(0, { id, repairs: ["fence"] }, "kimi-k2"),
  },
  {
    name: "an id that names no tool, and the name beside the arguments",
    text: kimi("call_ab12", `{"name": "read_file", "arguments": ${shown}}`),
    events: read(0, { shown: '{"path":"a.txt"}', repairs: ["near-name", "argument-key"] }, "kimi-k2"),
  },
]);

const functionary = (index: number) => call(index, "functionary", "read_file", { path: "a.txt" }, { shown });

formatContract("Functionary, whose prompt ends in the mark", [
  {
    name: "a reply that begins with the name",
    text: `read_file\n${shown}>>>read_file\n${shown}`,
    events: [...functionary(0), ...functionary(1)],
  },
  {
    name: "a name that is longer, or further on",
    text: `read_files\n${shown}\nread_file\n${shown}`,
    events: [text(`read_files\n${shown}\nread_file\n${shown}`)],
  },
  {
    name: "a name and words",
    text: "read_file\nis a tool. {}",
    events: [text("read_file\nis a tool. {}")],
  },
]);

formatContract("a call between marks whose arguments are not JSON", [
  {
    name: "is an error of a tool on offer",
    text: "<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>a.txt<｜tool▁call▁end｜> end",
    events: [
      {
        type: "tool-call-error",
        raw: "<｜tool▁call▁begin｜>read_file<｜tool▁sep｜>a.txt<｜tool▁call▁end｜>",
        reason: "unreadable",
        message: "The arguments of read_file cannot be read as an object.",
        format: "deepseek",
        name: "read_file",
      },
      text(" end"),
    ],
  },
]);

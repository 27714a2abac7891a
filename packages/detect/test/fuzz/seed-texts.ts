/**
 * Composes whole replies that the fuzzer mutates: calls in every format, prose, Markdown, HTML, programs, thoughts
 * and messages.
 */
import { exampleCall, type FormatId, formats, toMessages, type WrittenTurn } from "../../src/index.ts";
import type { Random } from "./random.ts";
import { fuzzTools } from "./seed-tools.ts";
import { type NextWord, seedCall } from "./seed-values.ts";

type Piece = (random: Random, word: NextWord) => string;

const formatIds = formats.map((format) => format.id);

/** Returns one to three calls as the library itself writes them, rarely its example call. */
const writtenCalls: Piece = (random, word) => {
  const format = random.pick(formatIds);
  if (random.chance(0.05)) return exampleCall(format, random.pick(fuzzTools));
  const calls = Array.from({ length: 1 + random.below(3) }, () => seedCall(random, word));
  const text = random.chance(0.5) ? "" : `Let me look at ${word()}.`;
  return toMessages(format, { text, calls, results: [] })[0]?.content ?? "";
};

function writtenIn(format: FormatId, calls: WrittenTurn["calls"]): string {
  return toMessages(format, { text: "", calls, results: [] })[0]?.content ?? "";
}

/** Returns a body of one format in the frame of another, as models mix them. */
const mixedCalls: Piece = (random, word) => {
  const body = writtenIn(
    random.pick<FormatId>(["json", "json-list", "openai", "tool-args", "pythonic", "name-call", "morph-xml"]),
    Array.from({ length: 1 + random.below(2) }, () => seedCall(random, word)),
  );
  const [open, close] = random.pick<readonly [string, string]>([
    ...["json", "JSON", "xml", "tools", "response", "tool", "tool_call", "tool_calls", "function_call"].map(
      (name) => [`<${name}>`, `</${name}>`] as const,
    ),
    ...["function_calls", "TOOLCALL", "longcat_tool_call"].map(
      (name) => [`<${name}>`, `</${name}>`] as const,
    ),
    ["[TOOL_CALLS]", ""],
    ["<|tool_call|>", ""],
    ["<|python_tag|>", "<|eom_id|>"],
    ["<|tool_call_start|>", "<|tool_call_end|>"],
    ["<|START_ACTION|>", "<|END_ACTION|>"],
    ["```tool_call\n", "\n```"],
    ["```json\n", "\n```"],
    ["```\n", "\n```"],
    ["Action: read_file\nAction Input: ", ""],
  ]);
  return open + random.pick(["", "\n"]) + body + random.pick(["", "\n"]) + (random.chance(0.8) ? close : "");
};

const prose: Piece = (random, word) =>
  random.pick([
    () => `I read ${word()} and found that 3 < 4. It's "quoted ${word()}", isn't it?`,
    () => `First (see ${word()}) we do this; then ${word()}: that. Done!`,
    () => `> quoted ${word()}\n\nAn answer {with braces} and [brackets](${word()}.md).`,
    () => `Call read_file with the path ${word()}, or use <read_file> for ${word()}.`,
    () => `Tool: a hammer, ${word()}. Action: none. The name, "${word()}", is { "a": 1 }.`,
    () => `${word()}\r\n${word()}\u2028${word()}\ufeff`,
  ])();

const markdown: Piece = (random, word) =>
  random.pick([
    () => `# ${word()}\n\n- one \`${word()}\`\n- two\n\n| a | b |\n|---|---|\n| ${word()} | 2 |\n`,
    () => `\`\`\`ts\nconst a = "${word()}";\nread_file({"path": "${word()}"});\n\`\`\`\n${word()}`,
    () =>
      `Use it like this:\n\n\`\`\`json\n{"name": "read_file", "arguments": {"path": "${word()}"}}\n\`\`\`\n${word()} ends.`,
    () => `\`\`\`\n${word()}\n~~~\n${word()}\n\`\`\`\n`,
    () => `~~~yaml\nname: ${word()}\npath: a # ${word()}\n~~~`,
    () => `A span \`<tool_call>{"name": "read_file"}</tool_call> ${word()}\` and ${word()}.`,
  ])();

const code: Piece = (random, word) =>
  random.pick([
    () => `<div id="${word()}"><p>Text ${word()}</p><!-- ${word()} --><br/></div>`,
    () =>
      `import { a } from "${word()}";\nexport const c = { name: "read_file", run: (x) => a(x, '${word()}') };\n`,
    () => `def main():\n    read_file(path="${word()}")  # ${word()}\n    return [1, {"a": "${word()}"}]\n`,
    () => `{\n  "name": "${word()}",\n  "version": "1.0.0",\n  "scripts": {"test": "${word()}"}\n}`,
    () => `for (let i = 0; i < ${word()}.length; i += 1) { if (a[i] > b) break; }\n`,
    () => `[{"id": 1, "text": "${word()}"}, {"id": 2, "text": "${word()}"}]`,
    () =>
      `{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"description": "${word()}"}}}}`,
  ])();

const thought: Piece = (random, word) => {
  const [open, close] = random.pick<readonly [string, string]>([
    ["<think>\n", "</think>\n"],
    ["<thinking>", "</thinking>"],
    ["<seed:think>", "</seed:think>"],
    ["[THINK]", "[/THINK]"],
    ["<|channel>thought\n", "<channel|>"],
    ["<|START_THINKING|>", "<|END_THINKING|>"],
    ["<|open|>think<|sep|>", "<|close|>think<|sep|>"],
    ["", "</think>"],
    ["<think>", ""],
  ]);
  const inside = random.chance(0.3) ? writtenCalls(random, word) : prose(random, word);
  return `${open}Hm, ${word()}. ${inside}\n${word()}${close}`;
};

const channels: Piece = (random, word) =>
  random.pick([
    () =>
      `<|channel|>analysis<|message|>I think ${word()}.<|end|><|start|>assistant<|channel|>final<|message|>Answer ${word()}.<|return|>`,
    () =>
      `<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "${word()}"}<|call|>`,
    () => ` to=self<|message|>hm ${word()}<|eom|><|start|>assistant to=user<|message|>Hello ${word()}<|eot|>`,
    () => `<|START_RESPONSE|>Hello ${word()}<|END_RESPONSE|>`,
  ])();

const pieces: readonly Piece[] = [
  ...[writtenCalls, writtenCalls, writtenCalls, mixedCalls, prose, prose],
  ...[markdown, code, thought, channels],
];

/** Returns two to five pieces, most with words between them. */
export function seedText(random: Random, word: NextWord): string {
  let text = random.chance(0.3) ? `${word()} ` : "";
  for (let count = 2 + random.below(4); count > 0; count -= 1) {
    text += random.pick(pieces)(random, word);
    text += random.pick<() => string>([
      () => "\n",
      () => "\n\n",
      () => "",
      () => ` ${word()} `,
      () => `\n${word()}\n`,
      () => `\n${word()} and then:\n`,
      () => ` (${word()})\n\n`,
    ])();
  }
  return text;
}

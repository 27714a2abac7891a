/** Makes the arguments of calls in seed texts. Most texts contain a numbered word, by which they are found again. */
import type { JsonValue } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** Gives the next word; each is used once in a text. */
export type NextWord = () => string;

/** The words look like this, so that they can be counted in any text. */
export const wordPattern = /zq\d{4}x/g;

export function wordOf(number: number): string {
  return `zq${String(number % 10_000).padStart(4, "0")}x`;
}

const texts: readonly ((word: NextWord) => string)[] = [
  (word) => word(),
  (word) => `src/${word()}.ts`,
  (word) => `one ${word()} two`,
  (word) => `line\n  ${word()}\n\tlast ${word()}\n`,
  (word) => `\n${word()}\n`,
  (word) => ` ${word()} `,
  (word) => `const a = {"key": "${word()}", 'b': [1, 2]}; // ${word()}\n`,
  (word) => `<div class="${word()}">a &amp; b <b>${word()}</b></div>`,
  (word) => `{"name": "read_file", "arguments": {"path": "${word()}"}}`,
  (word) => `he said "${word()}", and 'no'\\n`,
  (word) => `\`\`\`\n${word()}\n\`\`\``,
  (word) => `</parameter> ${word()} </tool_call> ${word()}`,
  (word) => `key: ${word()}\n- item # ${word()}`,
  (word) => `${word()}: {${word()}}`,
  (word) => `${word()}}]`,
  (word) => `C:\\dir\\${word()} \\d+ \u2028 é 😀`,
  () => "",
  () => "5",
  () => "true",
];

export function textValue(random: Random, word: NextWord): string {
  return random.pick(texts)(word);
}

export function anyValue(random: Random, word: NextWord, depth = 0): JsonValue {
  const kind = random.below(depth > 2 ? 4 : 7);
  if (kind === 0) return random.pick([0, -1, 10, 1.5, 1e21, true, false, null]);
  if (kind < 4) return textValue(random, word);
  const count = random.below(4);
  if (kind === 4) return Array.from({ length: count }, () => anyValue(random, word, depth + 1));
  const keys = Array.from({ length: count }, (_, at) => (random.chance(0.2) ? word() : `key_${at}`));
  return Object.fromEntries(keys.map((key) => [key, anyValue(random, word, depth + 1)]));
}

/** Returns a call of one of the tools that the fuzzer has on offer, or rarely of a tool that does not exist. */
export function seedCall(
  random: Random,
  word: NextWord,
): { id: string; name: string; arguments: { [key: string]: JsonValue } } {
  const text = () => textValue(random, word);
  const made = random.pick<() => [string, { [key: string]: JsonValue }]>([
    () => ["read_file", { path: text() }],
    () => ["read_file", { path: text(), offset: random.below(100), limit: 10 }],
    () => ["write_file", { path: text(), content: text(), tags: [text(), text()] }],
    () => ["write_file", { path: text(), content: text(), options: { force: random.chance(0.5) } }],
    () => ["edit-file", { path: text(), edits: [{ find: text(), replace: text() }] }],
    () => ["git_status", {}],
    () => ["fs.query", { query: text(), where: anyValue(random, word), max: 1.5 }],
    () => ["anything", { [random.chance(0.5) ? "first" : word()]: anyValue(random, word) }],
    () => ["strict_note", { note: text(), level: random.pick([null, 3]), done: true }],
    () => ["constructor", { value: text() }],
    () => ["no_such_tool", { path: text() }],
  ])();
  return { id: "c1", name: made[0], arguments: made[1] };
}

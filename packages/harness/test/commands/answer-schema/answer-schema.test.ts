/** Checks how the JSON answer is found in the text that a model writes around it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readAnswerSchema } from "../../../src/commands/answer-schema/answer-schema.ts";

async function check(answer: string) {
  const folder = mkdtempSync(join(tmpdir(), "localharness-schema-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "schema.json");
  writeFileSync(path, '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}');
  return (await readAnswerSchema(path)).check(answer);
}

const right = { ok: true, value: { n: 1 } };
const none = { ok: false, problem: "it is not one JSON value" };

test.each<[string, string, object]>([
  ["alone", ' {"n": 1}\n', right],
  ["in a fence", '```json\n{"n": 1}\n```', right],
  ["in an indented fence with words around it", 'Here:\n  ~~~\r\n{"n": 1}\r\n  ~~~ \r\nDone.', right],
  ["in a longer fence that holds a shorter one", '````\n{"n": 1}\n````', right],
  ["in one of two fences", '```\n{"n": 1}\n```\n```\n{"n": 1}\n```', none],
  ["in a fence that is not closed", '```\n{"n": 1}', none],
  ["in a fence that another one would close", '```\n{"n": 1}\n````', none],
  ["with a key twice", '{"n": 1, "n": 2}', none],
  ["mended", '{"n": "1"}', right],
  ["wrong", '{"n": "x"}', { ok: false, problem: "$/n must be integer" }],
  ["in a loop of fences", "```json\n{\n".repeat(100_000), none],
])("%s", async (_what, answer, expected) => {
  expect(await check(answer)).toEqual(expected);
});

import { describe, expect, test } from "vitest";
import { detect, type FormatId, formats, mergeDeltas, summarize } from "../../src/index.ts";
import { call, formatContract, readPieces, sampleTools, text, textContract } from "../format-contract.ts";
import { honestWays, quotingWays, writtenCall } from "../quoting.ts";

const strict = { tools: sampleTools, onlyAlone: true };
const args = { path: "notes.txt", content: "hello from the readme\nsecond line" };
const ids = formats.map(({ id }) => id);
/** Its frame is a fence, and in a fence nothing is read. */
const fenced: FormatId = "fenced-json";

describe("a call that is quoted is none where only those that stand alone are read", () => {
  test.each(Object.entries(quotingWays))("%s", (_way, quote) => {
    for (const id of ids) {
      const { calls, errors } = summarize(detect(quote(writtenCall(id, "write_file", args)), strict));
      expect({ id, calls, errors }).toEqual({ id, calls: [], errors: [] });
    }
  });
});

describe("a call that stands alone is found", () => {
  test.each(Object.entries(honestWays))("%s", (_way, word) => {
    for (const id of ids.filter((one) => one !== fenced)) {
      const { calls } = summarize(detect(word(writtenCall(id, "write_file", args)), strict));
      expect({ id, calls: calls.map(({ name }) => name) }).toEqual({ id, calls: ["write_file"] });
    }
  });
});

describe("split at every index the events are the same", () => {
  const sample: readonly FormatId[] = ["hermes", "json", "qwen-coder", "harmony", "glimmer", "name-call"];
  test.each(Object.entries({ ...honestWays, ...quotingWays }))("%s", (_way, word) => {
    for (const id of sample) {
      const reply = word(writtenCall(id, "write_file", args));
      const whole = detect(reply, strict);
      expect(readPieces(reply.split(""), strict)).toEqual(whole);
      for (let index = 1; index < reply.length; index += 1)
        expect(readPieces([reply.slice(0, index), reply.slice(index)], strict), `${id} at ${index}`).toEqual(
          whole,
        );
    }
  });
});

const hermes = writtenCall("hermes", "read_file", { path: "a.txt" });
const bare = writtenCall("json", "read_file", { path: "a.txt" });
const read = (index: number, format: FormatId) => call(index, format, "read_file", { path: "a.txt" });

textContract(
  "what stays text, byte for byte",
  [
    `${hermes} is what it says.`,
    `${hermes}\n${hermes}\nThat is all.`,
    `${hermes}\n\n- ${hermes}`,
    `Look:\n\`\`\`ts\nlet a = 1;\n\`\`\`\nIt says\n${bare}`,
    `x </tool_call> y <|END_ACTION|>`,
  ],
  { onlyAlone: true },
);

formatContract("what stands alone", [
  {
    name: "several calls, on lines of their own and side by side",
    text: `Both.\n${hermes}\n${hermes}${hermes}`,
    events: mergeDeltas([
      text("Both.\n"),
      ...read(0, "hermes"),
      text("\n"),
      ...read(1, "hermes"),
      ...read(2, "hermes"),
    ]),
    options: { onlyAlone: true },
  },
  {
    name: "a thought before, a special token behind",
    text: `<think>\nIt says ${bare}.\n</think>\n\n${hermes}<|im_end|>`,
    events: [{ type: "reasoning-delta", text: `\nIt says ${bare}.\n` }, text("\n\n"), ...read(0, "hermes")],
    options: { onlyAlone: true },
  },
  {
    name: "behind a fence and a paragraph, in a frame of its own",
    text: `\`\`\`ts\nlet a = 1;\n\`\`\`\nNow I read it.\n${hermes}`,
    events: [text("```ts\nlet a = 1;\n```\nNow I read it.\n"), ...read(0, "hermes")],
    options: { onlyAlone: true },
  },
]);

test("thousands of calls that are told are text", () => {
  const reply = `${hermes}\nand\n`.repeat(2_000);
  expect(detect(reply, strict)).toEqual([text(reply)]);
});

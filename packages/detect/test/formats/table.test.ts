/** Every row of the table of formats: its example is read as what it says, however it is cut. */
import { describe, expect, test } from "vitest";
import { detect, formats, formatsForModel, summarize } from "../../src/index.ts";
import { readPieces, sampleTools } from "../format-contract.ts";

describe("the example of a format", () => {
  for (const format of formats) {
    test(`${format.id} is read in auto mode, whole and in pieces`, () => {
      const events = detect(format.example, { tools: sampleTools });
      const { calls, errors, text } = summarize(events);
      const isSpecial = format.id === "tool-args" || format.id === "inkling";
      expect(calls).toMatchObject([
        {
          name: "read_file",
          arguments: { path: "a.txt" },
          format: format.id,
          repairs: isSpecial ? ["argument-key"] : [],
        },
      ]);
      expect([errors, text.trim()]).toEqual([[], ""]);
      expect(readPieces(format.example.split(""), { tools: sampleTools })).toEqual(events);
      for (let index = 1; index < format.example.length; index++) {
        const pieces = [format.example.slice(0, index), format.example.slice(index)];
        expect(readPieces(pieces, { tools: sampleTools }), `split at ${index}`).toEqual(events);
      }
    });

    test(`${format.id} is read when it is the only format asked for`, () => {
      const { calls } = summarize(detect(format.example, { tools: sampleTools, format: format.id }));
      expect(calls.map((call) => call.name)).toEqual(["read_file"]);
    });

    test(`${format.id} is not a call of a tool that is not on offer`, () => {
      const { calls } = summarize(
        detect(format.example, { tools: [{ name: "other_tool" }, { name: "launch" }] }),
      );
      expect(calls).toEqual([]);
    });

    test(`${format.id} cut short is no call and loses no text`, () => {
      const cut = format.example.slice(0, format.example.indexOf("a.txt") + 3);
      const { calls, text } = summarize(detect(cut, { tools: sampleTools }));
      expect(calls).toEqual([]);
      // Special tokens in front of the call may be gone; what the model said is all there.
      expect(cut.endsWith(text)).toBe(true);
      expect(text).toContain("a.t");
    });

    test(`${format.id} in a code span is text`, () => {
      const quoted = `Models write \`${format.example.replaceAll("\n", "").replaceAll("```", "")}\` for it.`;
      expect(summarize(detect(quoted, { tools: sampleTools })).calls).toEqual([]);
    });
  }
});

describe("formats of a model", () => {
  test.each([
    ["qwen2.5-coder:7b", "hermes"],
    ["Qwen/Qwen3-Coder-30B-A3B", "qwen-coder"],
    ["mistral-small3.2", "mistral"],
    ["gpt-oss:20b", "harmony"],
    ["gemma4:12b", "gemma"],
    ["glm-4.6", "glm"],
    ["kimi-k2-instruct", "kimi-k2"],
    ["deepseek-r1:14b", "deepseek"],
    ["llama3.1:8b", "json"],
  ] as const)("%s writes %s", (model, format) => {
    expect(formatsForModel(model)[0]).toBe(format);
  });

  test.each([
    ["an unknown model", undefined, []],
    ["an unknown model", "{{ <tool_call> }}", ["hermes"]],
    ["an unknown model", "<tool_call> <function=", ["qwen-coder"]],
    ["an unknown model", "[TOOL_CALLS]", ["mistral"]],
  ] as const)("%s with the template %s gives %j", (model, template, expected) => {
    expect(formatsForModel(model, template)).toEqual(expected);
  });
});

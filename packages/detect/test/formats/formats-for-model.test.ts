/** The formats that follow from the name and the chat template of a model. */
import { describe, expect, test } from "vitest";
import { formatsForModel } from "../../src/index.ts";

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

  test.each([
    ["the tags of Qwen-coder in Hermes's frame", "<tool_call> <function=", "qwen-coder"],
    ["GLM's pairs in Hermes's frame", "<tool_call> <arg_key>", "glm"],
    ["a frame of its own around Qwen-coder's tags", "<function= <seed:tool_call>", "seed-oss"],
    ["tags of a name space in a plain frame", "<function_calls> <｜DSML｜invoke", "dsml"],
    ["a list's frame with Hunyuan's calls in it", "<tool_calls> <arg_key> <tool_call>", "glm"],
  ] as const)("%s is told from the more general format", (_name, template, expected) => {
    expect(formatsForModel("an unknown model", template)).toEqual([expected]);
  });
});

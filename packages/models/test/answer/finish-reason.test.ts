/** Checks that the middleware of `detect`, which cannot import the table of `models`, judges its words in the same way. */
import type { LanguageModelV4GenerateResult, LanguageModelV4Usage } from "@ai-sdk/provider";
import { toolCalls } from "@localharness/detect/ai-sdk";
import { expect, test } from "vitest";
import { endings } from "../../src/answer/finish-reason.ts";

const model = { modelId: "m", provider: "p", specificationVersion: "v4", supportedUrls: {} } as const;
const tool = { type: "function", name: "read_file", inputSchema: { properties: { path: {} } } } as const;
const open = "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n";

/** The words that the AI SDK knows, so that they never come as `other`. */
const known = ["stop", "tool_calls", "function_call"];

/** Returns the input of a call whose end is missing, in a reply that ended with this finish reason. */
async function inputAfter(raw: string): Promise<string | undefined> {
  const doGenerate = () =>
    Promise.resolve<LanguageModelV4GenerateResult>({
      content: [{ type: "text", text: open }],
      finishReason: { unified: "other", raw },
      usage: {} as LanguageModelV4Usage,
      warnings: [],
    });
  const doStream = () => Promise.reject(new Error("not asked for"));
  const params = { prompt: [], tools: [tool] };
  const wrapped = { doGenerate, doStream, params, model: { ...model, doGenerate, doStream } };
  const result = await toolCalls().wrapGenerate?.(wrapped);
  const part = result?.content.at(0);
  return part?.type === "tool-call" ? part.input : undefined;
}

test.each([...[...endings].filter(([word]) => !known.includes(word)), ["frob", "early"] as const])(
  "a call whose end is missing, after %s, counts as %s",
  async (word, ending) => {
    expect(await inputAfter(word.toUpperCase())).toBe(ending === "whole" ? '{"path":"a.txt"}' : open);
  },
);

/** Calls whose special tokens a server has left out: what is left is still certain, or it stays text. */
import { describe, expect, test } from "vitest";
import { detect, summarize } from "../../src/index.ts";
import { readPieces, sampleTools, textContract } from "../format-contract.ts";

const json = '{"path": "a.txt"}';

describe("what is left of a call", () => {
  test.each([
    ["mistral", `read_file[ARGS]${json}`],
    ["mistral", `read_file${json}`],
    ["mistral", `I look.\nread_file${json}\n`],
    ["deepseek", `read_file<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`],
    ["deepseek", `functionread_file\n\`\`\`json\n${json}\n\`\`\``],
    ["kimi-k2", `functions.read_file:0 ${json}`],
    ["kimi-k2", `read_file:0${json}`],
    ["glm", "read_file<arg_key>path</arg_key><arg_value>a.txt</arg_value>"],
    [
      "longcat",
      "read_file<longcat_arg_key>path</longcat_arg_key><longcat_arg_value>a.txt</longcat_arg_value>",
    ],
    ["gemma", "call:read_file{path:a.txt}"],
    ["harmony", `assistantcommentary to=functions.read_file json${json}`],
    ["functionary", `read_file\n${json}`],
    ["qwen-coder", "<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>"],
    ["minimax", '<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>'],
    ["pythonic", '[read_file(path="a.txt")]'],
  ])("%s: %j", (format, reply) => {
    const events = detect(reply, { tools: sampleTools });
    expect(summarize(events)).toMatchObject({
      calls: [{ name: "read_file", arguments: { path: "a.txt" }, format }],
      errors: [],
    });
    expect(readPieces(reply.split(""), { tools: sampleTools })).toEqual(events);
  });
});

textContract("text that only looks like it", [
  `git_status{} is a value.`,
  `x = git_status{}`,
  `read_file: ${json}`,
  `read_file${json} reads it.`,
  `Then read_file:0${json} is read.`,
  `other${json}`,
]);

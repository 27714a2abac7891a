/**
 * Ways in which a reply shows a call that it has read somewhere, and ways in which a reply makes a call that stands
 * alone.
 */
import { type FormatId, toMessages } from "../src/index.ts";

/** A way to write a text around a written call. */
export type Wording = (call: string) => string;

/** Returns a call as a model of the format writes it. */
export function writtenCall(
  format: FormatId,
  name: string,
  args: Parameters<typeof toMessages>[1]["calls"][number]["arguments"],
): string {
  const calls = [{ id: "call_1", name, arguments: args }];
  return toMessages(format, { text: "", calls, results: [] })[0]?.content ?? "";
}

export const quotingWays: { readonly [way: string]: Wording } = {
  "refusing prose": (call) => `The README contains ${call}, and I will not do that.`,
  "refusing prose around a block": (call) => `The README contains this:\n${call}\nI will not do that.`,
  "the end of refusing prose": (call) => `I will not do what it says: ${call}`,
  "a list item": (call) => `It asks for:\n- ${call}\n- nothing else`,
  "the last list item": (call) => `It asks for:\n* ${call}`,
  "a numbered list item": (call) => `Steps:\n1. ${call}`,
  "grep output": (call) => `Matches:\n${lines(call, (line, index) => `README.md:${index + 3}: ${line}`)}`,
  "one line of grep output": (call) => `README.md:3:${call}`,
  "numbered lines": (call) => lines(call, (line, index) => `     ${index + 1}\t${line}`),
  "numbered lines with a colon": (call) => lines(call, (line, index) => `${index + 1}: ${line}`),
  "indented lines": (call) => `It says:\n\n${lines(call, (line) => `    ${line}`)}`,
  "lines indented by two": (call) => `It says:\n\n${lines(call, (line) => `  ${line}`)}`,
  "lines indented by a tab": (call) => `It says:\n\n${lines(call, (line) => `\t${line}`)}`,
  "a fence that closed early": (call) => `It says:\n\`\`\`json\n\`\`\`\n${call}\n\`\`\`\n`,
  "a fence that closed early, at the end": (call) => `It says:\n\`\`\`\n# Title\n\`\`\`\n${call}\n`,
  "a fence at the end": (call) => `It says:\n\`\`\`\n${call}\n\`\`\``,
  "a fence at the end that is not closed": (call) => `It says:\n\`\`\`json\n${call}`,
  "a fence for calls at the end": (call) => `It says:\n\`\`\`tool_call\n${call}\n\`\`\``,
  "a quotation": (call) => lines(call, (line) => `> ${line}`),
  "a diff that adds": (call) => lines(call, (line) => `+${line}`),
  "a diff that removes": (call) => lines(call, (line) => `-${line}`),
  "a cell of a table": (call) => `| file | text |\n|---|---|\n| README | ${oneLine(call)} |`,
  "a comment of HTML": (call) => `<!-- ${call} -->`,
  "a comment of HTML on lines of its own": (call) => `<!--\n${call}\n-->`,
  "lines of a log": (call) => lines(call, (line) => `2026-01-02T03:04:05Z INFO ${line}`),
  "lines of a log with the hour": (call) => lines(call, (line) => `[12:03:04] ${line}`),
  "a code span in a sentence": (call) => `The line \`${oneLine(call)}\` is in it.`,
  "quotation marks": (call) => `It says "${call}".`,
};

export const honestWays: { readonly [way: string]: Wording } = {
  "nothing else": (call) => call,
  "a paragraph": (call) => `I'll write that file now.\n\n${call}`,
  "two sentences": (call) => `The test fails since the file is missing. Let me write it.\n${call}\n`,
};

function lines(call: string, write: (line: string, index: number) => string): string {
  return call.split("\n").map(write).join("\n");
}

function oneLine(call: string): string {
  return call.replaceAll("\n", " ");
}

/** Custom formats: JSON between two marks, held to the same contract as the formats of the table. */
import { describe, expect, test } from "vitest";
import { type CustomFormat, createDetector, detect, summarize } from "../../src/index.ts";
import { call, formatContract, sampleTools, text, textContract } from "../format-contract.ts";

const acme: CustomFormat = { id: "custom:acme", open: "[[do]]", ends: ["[[done]]"] };
const bare: CustomFormat = { id: "custom:bare", open: "@call ", ends: [] };
const options = { custom: [acme, bare] };
const read = { path: "a.txt", limit: 20 };

formatContract("custom formats", [
  {
    name: "a call between marks, typed by the schema",
    text: '[[do]]{"name": "read_file", "arguments": {"path": "a.txt", "limit": "20"}}[[done]]',
    events: call(0, "custom:acme", "read_file", read, {
      shown: '{"path": "a.txt", "limit": "20"}',
      repairs: ["typed-value"],
    }),
    options,
  },
  {
    name: "a list of calls, and text around it",
    text: 'A [[do]][{"name": "git_status", "arguments": {}}, {"name": "git_status", "arguments": {}}][[done]] B',
    events: [
      text("A "),
      ...call(0, "custom:acme", "git_status", {}),
      ...call(1, "custom:acme", "git_status", {}),
      text(" B"),
    ],
    options,
  },
  {
    name: "a call that the JSON itself ends",
    text: '@call {"name": "git_status", "arguments": {}}',
    events: call(0, "custom:bare", "git_status", {}),
    options,
  },
  ...["@end", "}}", "]]", "」", "\nEND", "```"].map((end) => ({
    name: `a call that ${JSON.stringify(end)} ends`,
    text: `[[do]]{"name": "git_status", "arguments": {}}${end} B`,
    events: [...call(0, "custom:acme", "git_status", {}), text(" B")],
    options: { custom: [{ ...acme, ends: [end] }] },
  })),
  {
    name: "half an end, where the text ends",
    text: '[[do]]{"name": "git_status", "arguments": {}}@en',
    events: call(0, "custom:acme", "git_status", {}, { repairs: ["half-end-tag"] }),
    options: { custom: [{ ...acme, ends: ["@end"] }] },
  },
  {
    name: "a call without its end, and white space after it",
    text: '[[do]]{"name": "git_status", "arguments": {}} B @end C',
    events: [...call(0, "custom:acme", "git_status", {}, { repairs: ["missing-end-tag"] }), text(" B  C")],
    options: { custom: [{ ...acme, ends: ["@end"] }] },
  },
  {
    name: "a known format beside them",
    text: '<tool_call>{"name": "git_status", "arguments": {}}</tool_call>',
    events: call(0, "hermes", "git_status", {}),
    options,
  },
]);

textContract(
  "text with marks of custom formats",
  ["the mark [[do]] opens a call", "the @call mark", "[[do"],
  options,
);

describe("a custom format is refused", () => {
  test.each<[string, Partial<CustomFormat>, RegExp]>([
    ["that opens with nothing", { open: "" }, /custom:acme.*open.*""/],
    ["that opens with a character beyond ASCII", { open: "「do」" }, /custom:acme.*open.*ASCII.*"「do」"/],
    ["that opens with half a pair", { open: "\ud83d" }, /custom:acme.*ASCII/],
    ["that ends with nothing", { ends: ["[[done]]", ""] }, /custom:acme.*ends.*""/],
  ])("%s", (_name, part, message) => {
    expect(() => createDetector({ tools: sampleTools, custom: [{ ...acme, ...part }] })).toThrow(message);
  });
});

describe("detectors of one list of tools", () => {
  const acmeCall = '[[do]]{"name": "git_status", "arguments": {}}[[done]]';
  const bareCall = '@call {"name": "git_status", "arguments": {}}';
  const found = (input: string, custom?: readonly CustomFormat[]) =>
    summarize(detect(input, { tools: sampleTools, ...(custom && { custom }) })).calls.map(
      ({ format }) => format,
    );

  test("read only the custom formats given to each", () => {
    expect(found(acmeCall, [acme])).toEqual(["custom:acme"]);
    expect(found(bareCall, [acme])).toEqual(["json"]);
    expect(found(bareCall, [bare])).toEqual(["custom:bare"]);
    expect(found(acmeCall, [bare])).toEqual(["json"]);
    expect(found(acmeCall)).toEqual(["json"]);
    expect(found(acmeCall, [{ ...acme, id: "custom:other" }])).toEqual(["custom:other"]);
  });

  test("read a custom format as it is now, also after its owner changed it", () => {
    const changed = { ...acme, ends: [...acme.ends] };
    expect(found(acmeCall, [changed])).toEqual(["custom:acme"]);
    changed.open = "@call ";
    expect([found(acmeCall, [changed]), found(bareCall, [changed])]).toEqual([["json"], ["custom:acme"]]);
  });
});

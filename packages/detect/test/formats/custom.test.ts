/** Custom formats: JSON between two marks, held to the same contract as the formats of the table. */
import type { CustomFormat } from "../../src/index.ts";
import { call, formatContract, text, textContract } from "../format-contract.ts";

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

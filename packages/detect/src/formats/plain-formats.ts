/** Formats without markup of their own. */
import { nameCallOpeners } from "../frames/name-call.ts";
import { plainListOpener, plainObjectOpener } from "../frames/plain-json.ts";
import { toolLinesOpeners } from "../frames/tool-lines.ts";
import type { Format } from "./format.ts";

export const plainFormats: readonly Format[] = [
  {
    id: "json",
    title: "JSON in prose",
    models: ["llama3.1", "llama3.2", "llama3.3"],
    example: '{"name": "read_file", "arguments": {"path": "a.txt"}}',
    openers: () => [plainObjectOpener()],
  },
  {
    id: "json-list",
    title: "A JSON list",
    models: ["xlam"],
    example: '[{"name": "read_file", "arguments": {"path": "a.txt"}}]',
    openers: () => [plainListOpener()],
  },
  {
    id: "openai",
    title: "The objects of the OpenAI API, as text",
    models: [],
    example: '{"type": "function", "function": {"name": "read_file", "arguments": {"path": "a.txt"}}}',
    openers: () => [plainObjectOpener(), plainListOpener()],
  },
  {
    id: "tool-args",
    title: "JSON with tool and args",
    models: [],
    example: '{"tool": "read_file", "args": {"path": "a.txt"}}',
    openers: () => [plainObjectOpener()],
  },
  {
    id: "fenced-json",
    title: "JSON in a code fence",
    models: [],
    example: '```json\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n```',
    openers: () => [plainObjectOpener(), plainListOpener()],
  },
  {
    id: "ralph-lines",
    title: "Tool and Arguments lines",
    models: [],
    example: 'Tool: read_file\nArguments: {"path": "a.txt"}',
    openers: () => toolLinesOpeners(),
  },
  {
    id: "name-call",
    title: "A function call with one JSON object",
    models: [],
    example: 'read_file({"path": "a.txt"})',
    openers: (tools) => nameCallOpeners(tools),
  },
];

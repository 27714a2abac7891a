/**
 * Reads the calls of a model that writes them in a format of its maker: one JSON object between two marks. Everything else
 * (typing by the schema, repairs, calls split across chunks, examples that only quote a call) works as for known formats.
 * Run it: node examples/custom-format.ts
 */
import { type CustomFormat, createDetector, type DetectEvent } from "@localharness/detect";

const acme: CustomFormat = { id: "custom:acme", open: "[[do]]", ends: ["[[done]]"] };

const tools = [
  {
    name: "read_file",
    description: "Reads a file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, lines: { type: "integer" } },
      required: ["path"],
    },
  },
];

const detector = createDetector({ tools, custom: [acme] });
const reply =
  'I look first. [[do]]{"name": "read_file", "arguments": {"path": "a.txt", "lines": "20"}}[[done]] Then I tell.';
for (let at = 0; at < reply.length; at += 7) show(detector.push(reply.slice(at, at + 7)));
show(detector.end());

function show(events: readonly DetectEvent[]): void {
  for (const event of events) {
    if (event.type === "text-delta") console.log("text", JSON.stringify(event.text));
    if (event.type === "tool-call-end") console.log("call", event.name, event.arguments, event.format);
    if (event.type === "tool-call-error") console.log("error", event.message);
  }
}

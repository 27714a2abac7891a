/**
 * Defines a custom tool in three ways: from a typed function, with a schema written by hand, and from a zod schema.
 * Run it: node examples/custom-tool.ts
 */
import { readFileSync } from "node:fs";
import {
  createRegistry,
  createSession,
  defineTool,
  functionSignature,
  functionTool,
  type Integer,
  parametersFromStandard,
} from "@localharness/engine";
import { createDemo } from "@localharness/models";
import * as z from "zod";

/**
 * Rolls dice and returns each result.
 * @param sides How many sides each die has.
 * @param count How many dice to roll.
 */
export function rollDice(sides: Integer, count: Integer = 1): string {
  return Array.from({ length: count ?? 1 }, () => 1 + Math.floor(Math.random() * sides)).join(", ");
}

const derived = functionTool(
  rollDice,
  functionSignature(readFileSync(import.meta.filename, "utf8"), "rollDice"),
  {
    risk: "safe",
    readOnly: true,
    polls: true,
  },
);

const byHand = defineTool({
  name: "shout",
  description: "Writes a text in capitals.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  risk: "safe",
  readOnly: true,
  execute: (args) => Promise.resolve({ ok: true, data: String(args["text"]).toUpperCase() }),
});

const fromZod = defineTool({
  name: "add",
  description: "Adds numbers.",
  parameters: parametersFromStandard(z.object({ numbers: z.array(z.number()).describe("What to add.") })),
  risk: "safe",
  readOnly: true,
  execute: (args) =>
    Promise.resolve({ ok: true, data: String((args["numbers"] as number[]).reduce((a, b) => a + b, 0)) }),
});

export const registry = createRegistry([derived, byHand, fromZod]);

if (import.meta.main) {
  console.log(JSON.stringify(registry.definitions(), null, 2));
  // Models send arguments as an object or as JSON text, with types that may have to be coerced.
  const context = { callId: "call_1", signal: new AbortController().signal, report: () => undefined };
  console.log(await registry.execute("roll_dice", '{"sides": "6", "count": 3}', context));
  console.log(await registry.execute("add", { numbers: ["1", 2, "3.5"] }, context));
  console.log(await registry.execute("add", { numbers: "many" }, context));

  const session = createSession({
    model: createDemo(),
    registry,
    systemPrompt: "You are a helpful assistant with tools.",
    workspace: process.cwd(),
    interactive: false,
  });
  session.subscribe((event) => {
    if (event.type === "text-delta") process.stdout.write(event.text);
  });
  await session.prompt("What can you do?");
  process.stdout.write("\n");
}

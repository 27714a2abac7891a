/**
 * An MCP server over standard input and output whose behaviour is in the file that its first argument names: the tools that it
 * lists, and what it sends when a tool is called. Writes the answers to its own requests into the file `replies`.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

interface Behaviour {
  readonly tools: readonly object[];
  /** The tools from the first call on. The server tells its client of the change, and answers the call after that. */
  readonly later?: readonly object[];
  /** Raw text that is sent when a tool is called. */
  readonly wire?: string;
  readonly steps?: readonly Readonly<Record<string, number>>[];
  /** The file for the answers of the harness. */
  readonly replies: string;
}

const {
  tools,
  later,
  wire,
  steps = [],
  replies,
}: Behaviour = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const answered = Promise.withResolvers<void>();
const listedAgain = Promise.withResolvers<void>();
let offered = tools;

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

async function call(id: unknown): Promise<void> {
  if (later !== undefined && offered !== later) {
    offered = later;
    send({ method: "notifications/tools/list_changed" });
    await Promise.race([listedAgain.promise, sleep(2_000)]);
  }
  if (wire !== undefined) {
    await new Promise<void>((resolve) => process.stdout.write(wire, () => resolve()));
    if (wire.includes('"method"')) await Promise.race([answered.promise, sleep(2_000)]);
  }
  for (const step of steps) {
    if (step["hold_ms"] !== undefined) await sleep(step["hold_ms"]);
    if (step["exit"] !== undefined) process.exit(step["exit"]);
  }
  send({ id, result: { content: [{ type: "text", text: "called" }] } });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result, error } = JSON.parse(line);
  if (method === undefined) {
    appendFileSync(replies, `${JSON.stringify({ id, result, error })}\n`);
    answered.resolve();
  } else if (method === "initialize") {
    const serverInfo = { name: "peer", version: "1" };
    send({
      id,
      result: { protocolVersion: "2025-06-18", capabilities: { tools: { listChanged: true } }, serverInfo },
    });
  } else if (method === "tools/list") {
    send({ id, result: { tools: offered } });
    if (offered === later) listedAgain.resolve();
  } else if (method === "tools/call") void call(id);
  else if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
});

/** An MCP server whose every text is the one in its first argument: descriptions, names in schemas, results, progress, log. */
import { createInterface } from "node:readline";

const hostile = process.argv[2] ?? "";

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

const log = { method: "notifications/message", params: { level: "error", logger: hostile, data: hostile } };
const inputSchema = {
  type: "object",
  title: hostile,
  properties: { text: { type: "string", description: hostile }, [hostile]: { type: "string" } },
};
const tool = { name: "brew", title: hostile, description: hostile, inputSchema };
const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: hostile, version: hostile },
    instructions: hostile,
  },
  "tools/list": { tools: [tool, { ...tool, name: `brew ${hostile}` }] },
  "logging/setLevel": {},
};

process.stderr.write(`${hostile}\n`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "tools/call") {
    const { progressToken } = params._meta ?? {};
    send(log);
    send({
      method: "notifications/progress",
      params: { progressToken, progress: 1, total: 2, message: hostile },
    });
    send({ id, result: { content: [{ type: "text", text: hostile }], structuredContent: { hostile } } });
    return;
  }
  const result = results[method];
  send(result === undefined ? { id, error: { code: -32601, message: hostile } } : { id, result });
});

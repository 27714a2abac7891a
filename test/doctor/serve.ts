/** Serves the scripted models over loopback, with the wire API of OpenAI. */
import { createServer, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type Asked, models, type Reply, tinyTokens } from "./scripted-models.ts";

/** Starts a server with these models. `requests` has what it was asked. */
export async function serve(...names: readonly string[]) {
  const requests: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (request.method === "GET") return json(response, { data: names.map((id) => ({ id })) });
      const asked: Asked = JSON.parse(body);
      const name = asked.model;
      const all = asked.messages
        .map(({ content }) => JSON.stringify(content).replaceAll('\\"', '"'))
        .join("\n");
      const kept = name === "tiny" ? all.slice(-tinyTokens * 4) : all;
      requests.push(asked);
      const chars = name === "tiny" ? Math.min(body.length, tinyTokens * 4) : body.length;
      send(response, models[name]?.(kept, asked) ?? { status: 404 }, chars);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, requests };
}

export function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function send(response: ServerResponse, reply: Reply, chars: number): void {
  if (typeof reply === "object" && "status" in reply) {
    json(response, { error: { message: "engine fault" } }, reply.status);
    return;
  }
  const delta =
    typeof reply === "string"
      ? { content: reply }
      : {
          tool_calls: reply.native.map((one, index) => ({
            index,
            id: `c${index}`,
            type: "function",
            function: one,
          })),
        };
  const finish_reason = typeof reply === "string" ? "stop" : "tool_calls";
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`);
  const usage = { prompt_tokens: Math.ceil(chars / 4), completion_tokens: 12 };
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
}

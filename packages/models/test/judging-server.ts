/** Starts a server on loopback that judges each request by a function, for tests of what is sent. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "@localharness/protocol";

/** The text of an answer, or a refusal. */
export type Judgement = string | { readonly status: number; readonly body: JsonObject | string };

export interface JudgingServer {
  readonly address: string;
  /** The bodies of the chat requests so far. */
  readonly sent: JsonObject[];
  /** Judges the next requests, which have the body and a number from 0. Forgets the requests so far. */
  judgeBy(judge: (body: JsonObject, number: number) => Judgement): void;
  close(): void;
}

export async function startJudgingServer(): Promise<JudgingServer> {
  let judge: (body: JsonObject, number: number) => Judgement = () => say("ok");
  const sent: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    if (!/chat\/completions$|\/api\/chat$/.test(request.url ?? "")) {
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text) as JsonObject;
    sent.push(body);
    const judged = judge(body, sent.length - 1);
    if (typeof judged === "string") {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(judged);
      return;
    }
    const refusal = typeof judged.body === "string" ? judged.body : JSON.stringify(judged.body);
    response.writeHead(judged.status, { "content-type": "application/json" }).end(refusal);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    judgeBy(next) {
      judge = next;
      sent.length = 0;
    },
    close: () => void server.close(),
  };
}

/** Returns an answer of an OpenAI-compatible server with these deltas. */
export function chunks(...deltas: readonly JsonObject[]): string {
  const choices = deltas.map((delta) => ({ index: 0, delta, finish_reason: null }) as JsonObject);
  return [...choices, { index: 0, delta: {}, finish_reason: "stop" }]
    .map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`)
    .join("");
}

export function say(content: string): string {
  return chunks({ role: "assistant", content });
}

export function refuse(message: string, status = 400): Judgement {
  return { status, body: { error: { message } } };
}

export function messagesIn(body: JsonObject | undefined): readonly JsonObject[] {
  const messages = body?.["messages"];
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

export function toolsIn(body: JsonObject | undefined): readonly JsonObject[] {
  const tools = body?.["tools"];
  return Array.isArray(tools) ? tools.filter(isJsonObject).map((tool) => tool["function"] as JsonObject) : [];
}

/** Checks what `localharness serve` tells a webhook, with the real program and a real receiver. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { serve } from "./served.ts";

const model = await serveModel();

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a receiver that answers with these statuses, one after another, and then with 204. */
async function receiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

test("a webhook is told of questions and ended turns, signed and without the texts of the session", async () => {
  const { received, url } = await receiver(500);
  model.use({
    turns: [
      { text: "A secret plan.", calls: [{ name: "write_file", arguments: { path: "a", content: "b" } }] },
      { text: "Done." },
    ],
  });
  await using served = await serve(argumentsFor(model), { env: { LOCALHARNESS_WEBHOOK: url } });
  const { id } = await served.open();
  const follower = served.follow({ session: id });
  await served.send(id, { type: "user-message", content: "a private wish" });
  const { request } = await follower.event("permission-request");
  await served.send(id, { type: "permission-answer", requestId: request.requestId, answer: "once" });
  await follower.event("turn-end");
  await expect.poll(() => received.length).toBe(3);
  // The first attempt was answered with 500, so the message came again, with the same id.
  const [first, again, next] = received.map(({ headers }) => headers["webhook-id"]);
  expect(again).toBe(first);
  expect(next).not.toBe(first);
  const bodies = received.map(({ body }) => JSON.parse(body));
  const about = { session: id, turn: "turn-1", address: served.address };
  expect(bodies).toMatchObject([
    { ...about, type: "question", tool: "write_file" },
    { ...about, type: "question", tool: "write_file" },
    { ...about, type: "turn-end", reason: "done" },
  ]);
  expect(received.map(({ body }) => body).join()).not.toMatch(/secret|private/);
  const key = (await run(["serve", "webhook", "key"], { place: served.place })).stdout.trim();
  const bytes = Buffer.from(key.replace("whsec_", ""), "base64");
  for (const { headers, body } of received) {
    const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const signature = createHmac("sha256", bytes).update(text).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
  }
});

test.each(["http://box.example/hook", "ftp://127.0.0.1/", "https://user@box.example/"])(
  "the webhook %s is refused",
  async (url) => {
    const ended = await run(["serve", ...argumentsFor(model)], { env: { LOCALHARNESS_WEBHOOK: url } });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("an address such as https://box.example/hook");
  },
);

/** Checks that a client which reads nothing is dropped before much memory waits for it. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket as Client, WebSocketServer } from "ws";
import { createBoundedSender } from "../src/bounded-sender.ts";

const limit = 4 * 1024 * 1024;

/** Opens a connection of a client that asks for a WebSocket and then reads nothing. */
async function openSlow(): Promise<Client> {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const socket = connect((http.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    http.close();
  });
  socket.on("error", () => undefined);
  socket.pause();
  const lines = [
    "GET / HTTP/1.1",
    "Host: x",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const [client] = (await once(server, "connection")) as [Client];
  client.on("error", () => undefined);
  return client;
}

test.each([
  ["small", 190, 400_000],
  ["large", 1024 * 1024, 64],
])("that gets %s messages", async (_name, bytes, count) => {
  const client = await openSlow();
  const { send } = createBoundedSender(client, limit);
  const text = "x".repeat(bytes);
  let sent = 0;
  let buffered = 0;
  for (; sent < count && client.readyState === client.OPEN; sent += 1) {
    send(text);
    buffered = Math.max(buffered, client.bufferedAmount);
    if (sent % 100 === 0) await setImmediate();
  }
  expect(client.readyState).not.toBe(client.OPEN);
  expect(buffered).toBeLessThanOrEqual(limit + bytes + 14);
  // What waits beyond the buffers of the kernel costs memory for each message.
  if (bytes < 1_000) expect(buffered / bytes).toBeLessThan(limit / 2_048);
});

test("that reads gets everything", async () => {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => void http.close());
  server.on("connection", async (client) => {
    const { send } = createBoundedSender(client, limit);
    for (let at = 0; at < 50_000; at += 1) {
      send(String(at));
      if (at % 1_000 === 0) await setImmediate();
    }
    client.close();
  });
  const got: string[] = [];
  const reader = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  reader.addEventListener("message", ({ data }) => got.push(String(data)));
  await new Promise((resolve) => reader.addEventListener("close", resolve, { once: true }));
  expect(got).toEqual(Array.from({ length: 50_000 }, (_, at) => String(at)));
});

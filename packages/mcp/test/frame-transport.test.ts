/**
 * The transport of frames: values that are not messages, too many requests, large answers for an end that does not
 * read.
 */
import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { type Frames, frameTransport } from "../src/transport/frame-transport.ts";

/** Opens a transport over frames whose sending can be held back. */
async function open() {
  const sent: string[] = [];
  const held: (() => void)[] = [];
  const closed: string[] = [];
  const delivered: JSONRPCMessage[] = [];
  let holds = false;
  let handlers: Parameters<Frames["listen"]>[0] | undefined;
  const frames: Frames = {
    send(text) {
      sent.push(text);
      return holds ? new Promise((resolve) => held.push(resolve)) : Promise.resolve();
    },
    listen(given) {
      handlers = given;
    },
    close: (code) => closed.push(String(code)),
    latency: () => undefined,
  };
  const transport = frameTransport<JSONRPCMessage>(frames, parseJSONRPCMessage, (reason) =>
    closed.push(reason),
  );
  transport.onmessage = (message) => delivered.push(message);
  await transport.start();
  const ask = (id: number, method: string) =>
    handlers?.onText(JSON.stringify({ jsonrpc: "2.0", id, method, params: {} }));
  return {
    transport,
    sent,
    closed,
    delivered,
    ask,
    text: (text: string) => handlers?.onText(text),
    hold: () => {
      holds = true;
    },
    release: () => held.shift()?.(),
  };
}

const answerTo = (id: number) => ({ jsonrpc: "2.0", id, result: {} }) as JSONRPCMessage;

describe("a connection is cut", () => {
  test.each(["junk", "{}", "[]", "[{}]", '{"jsonrpc":"1.0","id":1,"method":"ping"}', "null"])(
    "after %s",
    async (text) => {
      const end = await open();
      end.text(text);
      expect(end.closed).toEqual(["1007", "the other end was cut off: a frame was no message of MCP"]);
      end.ask(1, "ping");
      expect(end.delivered).toEqual([]);
    },
  );

  test("with more than 2,000 requests in flight, of which answered ones do not count", async () => {
    const end = await open();
    for (let id = 0; id < 2_000; id += 1) end.ask(id, "tools/call");
    await end.transport.send(answerTo(7));
    end.ask(2_000, "tools/call");
    expect(end.closed).toEqual([]);
    end.ask(2_001, "tools/call");
    expect(end.closed[0]).toBe("1013");
  });
});

test("of the requests with large answers two are worked on, until the other end has taken their answers", async () => {
  const end = await open();
  const ids = () => end.delivered.map((message) => ("id" in message ? message.id : undefined));
  for (let id = 1; id <= 5; id += 1) end.ask(id, "resources/read");
  end.ask(6, "tools/call");
  expect(ids()).toEqual([1, 2, 6]);
  end.hold();
  const sending = end.transport.send(answerTo(1));
  expect(ids()).toEqual([1, 2, 6]);
  end.release();
  await sending;
  expect(ids()).toEqual([1, 2, 6, 3]);
  // One that is cancelled leaves, whether it has begun or waits.
  end.text(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } }));
  end.text(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } }));
  expect(ids().filter((id) => id !== undefined)).toEqual([1, 2, 6, 3, 5]);
});

/** Carries MCP messages over a connection of text frames, one message in each frame. */

import { reasonOf } from "@localharness/protocol";

/** A connection of text frames, such as a WebSocket. */
export interface Frames {
  /** Sends one text. Resolves when there is room for more; rejects if the connection has closed. */
  send(text: string): Promise<void>;
  /** Delivers the texts that arrive. Called once. */
  listen(handlers: { onText(text: string): void; onClosed(reason: string): void }): void;
  close(code: number, reason: string): void;
  /** Returns the milliseconds of the latest heartbeat; undefined if none was measured. */
  latency(): number | undefined;
}

/** The transport that the MCP SDK expects. Its client and its server packages each declare this interface. */
export interface FrameTransport<Message> {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  start(): Promise<void>;
  send(message: Message): Promise<void>;
  close(): Promise<void>;
}

/** The reason of a connection that this end has closed. */
export const closedHere = "the connection was closed";

/** The number of requests that one end may have in flight. */
const maxInFlight = 2_000;

/** The method whose answers may have many megabytes. */
const largeMethod = "resources/read";
/** The maximum number of requests of `largeMethod` at a time. A request counts until the other end has taken the answer. */
const maxLarge = 2;

interface Turnstile {
  /** Begins the work at once if there is room, or else when `leave` was called for earlier work. */
  enter(id: unknown, begin: () => void): void;
  leave(id: unknown): void;
}

function createTurnstile(most: number): Turnstile {
  const inside = new Set<unknown>();
  let waiting: { readonly id: unknown; begin(): void }[] = [];
  const next = () => {
    for (const one of waiting.splice(0, most - inside.size)) {
      inside.add(one.id);
      one.begin();
    }
  };
  return {
    enter(id, begin) {
      waiting.push({ id, begin });
      next();
    },
    leave(id) {
      waiting = waiting.filter((one) => one.id !== id);
      if (inside.delete(id)) next();
    },
  };
}

/**
 * Creates the transport. `parse` throws for a value that is not a message. `onClosed` is called before the SDK
 * learns that the connection closed.
 */
export function frameTransport<Message>(
  frames: Frames,
  parse: (value: unknown) => Message,
  onClosed: (reason: string) => void,
): FrameTransport<Message> {
  const asked = new Set<unknown>();
  const large = createTurnstile(maxLarge);
  let over = false;
  const finish = (reason: string) => {
    if (over) return;
    over = true;
    onClosed(reason);
    transport.onclose?.();
  };
  const deliver = (message: Message) => {
    if (!over) transport.onmessage?.(message);
  };
  const refuse = (code: number, reason: string) => {
    frames.close(code, reason);
    finish(`the other end was cut off: ${reason}`);
  };
  const transport: FrameTransport<Message> = {
    async start() {
      frames.listen({
        onClosed: finish,
        onText(text) {
          if (over) return;
          const message = read(text, parse);
          if (message === undefined) return refuse(1007, "a frame was no message of MCP");
          const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
          if (id !== undefined && method !== undefined) {
            if (asked.size >= maxInFlight) return refuse(1013, "too many requests at once");
            asked.add(id);
            if (method === largeMethod) return large.enter(id, () => deliver(message));
          }
          const ended = cancelledId(message);
          if (ended !== undefined) {
            asked.delete(ended);
            large.leave(ended);
          }
          deliver(message);
        },
      });
    },
    async send(message) {
      const { id, method } = message as { readonly id?: unknown; readonly method?: unknown };
      if (method === undefined) asked.delete(id);
      await frames.send(JSON.stringify(message)).catch((error: unknown) => {
        // The end of the connection may be reported only later.
        frames.close(1001, "a message could not be sent");
        finish(reasonOf(error));
        throw error;
      });
      if (method === undefined) large.leave(id);
    },
    async close() {
      frames.close(1000, "done");
      finish(closedHere);
    },
  };
  return transport;
}

/**
 * Returns the id of the request that the message cancels; undefined for another message. A cancelled request gets no
 * answer.
 */
function cancelledId(message: unknown): unknown {
  const { method, params } = message as {
    readonly method?: unknown;
    readonly params?: { readonly requestId?: unknown };
  };
  return method === "notifications/cancelled" ? params?.requestId : undefined;
}

function read<Message>(text: string, parse: (value: unknown) => Message): Message | undefined {
  try {
    return parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

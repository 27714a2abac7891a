/**
 * Tells a program of the person over HTTP that a question waits or that a turn has ended. The requests are signed as the
 * specification Standard Webhooks says. They contain no text of the model, of tools or of the person.
 */
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Session } from "@localharness/engine";
import { createFetchDoor } from "@localharness/models/fetch-door";
import { reasonOf, type SessionEvent } from "@localharness/protocol";

export interface WebhookParts {
  readonly url: string;
  /** Returns the key with which the messages are signed. */
  readKey(): Promise<string>;
  /** The facts about the server that each message contains. */
  readonly server: { readonly workspace: string; readonly address: string };
  /** Tells the person that a message could not be delivered. */
  say(text: string): void;
}

export interface Webhook {
  follow(session: Session): void;
  /** Drops the messages that are not delivered yet. */
  close(): void;
}

/** The wait before each attempt to deliver a message, in milliseconds. */
const waits = [0, 1_000, 5_000] as const;
const answerMs = 10_000;
/** The maximum number of messages that wait. Further messages are dropped. */
const maxWaiting = 100;

export function openWebhook({ url, readKey, server, say }: WebhookParts): Webhook {
  const door = createFetchDoor();
  const ending = new AbortController();
  let waiting = 0;
  let isFailing = false;
  let sending: Promise<void> = Promise.resolve();

  const post = async (id: string, body: string): Promise<void> => {
    const time = String(Math.floor(Date.now() / 1_000));
    const response = await door.fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": time,
        "webhook-signature": signatureOf(await readKey(), `${id}.${time}.${body}`),
      },
      body,
      signal: AbortSignal.any([ending.signal, AbortSignal.timeout(answerMs)]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`it answered with status ${response.status}`);
  };
  const deliver = async (body: string): Promise<void> => {
    // Every attempt has the same id, so that the receiver can tell that it has the message already.
    const id = `msg_${randomUUID()}`;
    let problem = "";
    for (const wait of waits) {
      await sleep(wait, undefined, { signal: ending.signal, ref: false });
      try {
        await post(id, body);
        isFailing = false;
        return;
      } catch (error) {
        problem = reasonOf(error);
      }
    }
    if (!isFailing) say(`the webhook ${new URL(url).origin} did not take a message: ${problem}`);
    isFailing = true;
  };
  const send = (message: object) => {
    if (waiting >= maxWaiting || ending.signal.aborted) return;
    waiting += 1;
    const body = JSON.stringify({ ...message, ...server });
    sending = sending
      .then(() => deliver(body))
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
  };
  return {
    follow(session) {
      session.subscribe((event) => {
        const message = messageOf(event);
        if (message !== undefined) send({ ...message, session: session.id, turn: event.turnId });
      });
    },
    close() {
      ending.abort();
      door.close();
    },
  };
}

/** Returns the message about a question or the end of a turn; undefined for any other event. */
function messageOf(event: SessionEvent): object | undefined {
  if (event.type === "permission-request") {
    return { type: "question", tool: event.request.toolName, risk: event.request.risk };
  }
  if (event.type === "server-question") {
    const { server } = event.question;
    return { type: "question", ...(server === undefined ? { tool: "ask_person" } : { server }) };
  }
  if (event.type === "turn-end") return { type: "turn-end", reason: event.reason };
  return undefined;
}

/** Returns the signature of a text; `key` is written as `whsec_` and base64. */
export function signatureOf(key: string, text: string): string {
  const bytes = Buffer.from(key.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", bytes).update(text).digest("base64")}`;
}

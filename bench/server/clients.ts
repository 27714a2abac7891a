/** Clients that watch a session and measure how late its events come. */
import type { Socket } from "node:net";
import type { SessionEvent } from "@localharness/protocol";
import { openWatcher } from "../../scripts/corpus/attacks/raw-socket.ts";
import type { ServedProgram } from "../../scripts/corpus/attacks/served.ts";

export interface Client {
  /** The milliseconds from the model's token to this client. */
  readonly delays: number[];
  readonly events: number;
  readonly ended: number;
  readonly errors: number;
  /** Sends a message and resolves at the end of its turn, or when the connection closes. */
  turn(served: ServedProgram): Promise<void>;
  /** Resolves at the end of the next turn, or when the connection closes. */
  nextEnd(): Promise<void>;
  close(): void;
}

export async function openSession(served: ServedProgram): Promise<string> {
  const { id } = (await served.api("POST", "/api/sessions", {})) as { readonly id: string };
  return id;
}

export async function watch({ port, token }: ServedProgram, id: string): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?session=${id}`, ["localharness", `key.${token}`]);
  const delays: number[] = [];
  const counts = { events: 0, ended: 0, errors: 0 };
  let ends: (() => void)[] = [];
  const take = (event: SessionEvent) => {
    counts.events += 1;
    if (event.type === "text-delta") delays.push(Date.now() - Number(event.text.trim().split(" ").at(-1)));
    if (event.type !== "turn-end") return;
    counts.ended += 1;
    if (event.reason !== "done") counts.errors += 1;
    for (const end of ends) end();
    ends = [];
  };
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as { readonly events?: readonly SessionEvent[] };
    for (const event of message.events ?? []) take(event);
  });
  socket.addEventListener("close", ({ code }) => {
    if (code !== 1005 && code !== 1000) counts.errors += 1;
    for (const end of ends) end();
  });
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const nextEnd = () => new Promise<void>((resolve) => ends.push(resolve));
  return {
    delays,
    get events() {
      return counts.events;
    },
    get ended() {
      return counts.ended;
    },
    get errors() {
      return counts.errors;
    },
    nextEnd,
    async turn(served) {
      const end = nextEnd();
      await served.api("POST", `/api/sessions/${id}/commands`, { type: "user-message", content: "go" });
      await end;
    },
    close: () => socket.close(),
  };
}

/** Connects a client that never reads. */
export async function startSlowReader(served: ServedProgram, id: string): Promise<Socket> {
  const { socket } = await openWatcher(served, id);
  return socket.pause();
}

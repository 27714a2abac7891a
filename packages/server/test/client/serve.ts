/** Starts the real server for the tests of its client. Its session is made of what a test pushes. */
import type { Command, Hub, Room, SessionEvent } from "@localharness/protocol";
import { createServerClient } from "@localharness/protocol/server-client";
import { afterEach } from "vitest";
import { accessTo, type ServerPlace } from "../../src/client/place.ts";
import { type ListeningServer, type ServerOptions, startServer } from "../../src/index.ts";

const running: ListeningServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** Starts a server with the session `s`. `saved` has the events that its next opening reads. */
export async function serve(options: Partial<ServerOptions> = {}) {
  const taken: Command[] = [];
  const state = { saved: [] as readonly SessionEvent[], emit: (_event: SessionEvent) => {} };
  /** Resolves when the host runs a command, which prints nothing and does not end. */
  const begun = Promise.withResolvers<void>();
  let room: Room | undefined;
  const open = async () => {
    const link = {
      id: "s",
      history: state.saved,
      subscribe(listener: (event: SessionEvent) => void) {
        state.emit = listener;
        return () => undefined;
      },
      send: (command: Command) => void taken.push(command),
      mode: () => "default",
      model: () => "m",
    };
    const runCommand = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    room ??= { link, host: { runCommand }, readTo: state.saved.at(-1)?.seq ?? 0 } as unknown as Room;
    return room;
  };
  const close = async () => {
    room = undefined;
  };
  const hub = { facts: {}, open, find: () => room, close } as unknown as Hub;
  const fixed = { host: "127.0.0.1", port: 0, files: new Map(), reportBug: () => undefined };
  const server = await startServer({ hub, readToken: async () => "token", ...fixed, ...options });
  running.push(server);
  const place: ServerPlace = { address: server.address, key: "token", name: "the test" };
  return { place, taken, state, begun: begun.promise, client: createServerClient(accessTo(place)) };
}

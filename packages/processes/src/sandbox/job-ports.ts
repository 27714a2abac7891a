/** Keeps the servers of commands in the background: which ports they listen on, and which the person opened to this machine. */
import { createServer, type Server } from "node:net";
import type { Inlet } from "./inlets.ts";
import { createJobBridge, type JobBridge, type JobPort } from "./job-bridge.ts";

/** A server of a command in the background. */
export interface JobServer extends JobPort {
  readonly job: string;
}

export interface JobPorts {
  /** Returns a bridge for a new command; the ports of `inlets` are not its own. */
  bridge(inlets: readonly Inlet[]): JobBridge;
  /** Adds a job that runs. */
  add(job: string, bridge: JobBridge): void;
  /** Closes the ports of a job that has ended. */
  ended(job: string): void;
  /** Resolves to the servers of a running job that no earlier call has returned. */
  newServers(job: string): Promise<readonly JobServer[]>;
  /** Resolves to an inlet for each server of the running commands, one for each port. */
  inlets(): Promise<readonly Inlet[]>;
  /** Resolves to the port on 127.0.0.1 at which a server can be opened: its own, or a free one if that is taken. */
  freePort(port: number): Promise<number>;
  /** Opens the server on 127.0.0.1 until its job ends. Resolves to the port, another one if `at` is taken by now. */
  openAt(server: JobServer, at: number): Promise<number>;
}

/** The ports of the sandbox's own relays in the network of a command. */
const relays: readonly number[] = [3128, 1080];

interface RunningJob {
  readonly bridge: JobBridge;
  /** The ports that `newServers` has returned. */
  readonly told: Set<number>;
  readonly open: Set<Server>;
}

export function createJobPorts(): JobPorts {
  const running = new Map<string, RunningJob>();
  return {
    bridge: (inlets) => createJobBridge(new Set([...relays, ...inlets.map(({ port }) => port)])),
    add: (job, bridge) => void running.set(job, { bridge, told: new Set(), open: new Set() }),
    ended(job) {
      for (const server of running.get(job)?.open ?? []) server.close();
      running.delete(job);
    },
    async newServers(job) {
      const one = running.get(job);
      const found = (await one?.bridge.ports()) ?? [];
      const news = found.filter(({ port }) => one?.told.has(port) === false);
      for (const { port } of news) one?.told.add(port);
      return news.map((port) => ({ ...port, job }));
    },
    async inlets() {
      const all = await Promise.all(
        [...running.values()].map(async ({ bridge }) => ({ bridge, found: await bridge.ports() })),
      );
      const byPort = new Map<number, Inlet>();
      for (const { bridge, found } of all) {
        for (const one of found) {
          byPort.set(one.port, { port: one.port, serve: (client) => bridge.serve(one, client) });
        }
      }
      return [...byPort.values()];
    },
    async freePort(port) {
      const server = createServer();
      const at = await listenOn(server, port).catch(() => listenOn(server, 0));
      await new Promise((resolve) => server.close(resolve));
      return at;
    },
    async openAt({ job, ...port }, at) {
      const server = createServer((client) => {
        const one = running.get(job);
        if (one === undefined) client.destroy();
        else one.bridge.serve(port, client);
      });
      server.unref();
      const opened = await listenOn(server, at).catch(() => listenOn(server, 0));
      const one = running.get(job);
      if (one === undefined) server.close();
      else one.open.add(server);
      return opened;
    },
  };
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}

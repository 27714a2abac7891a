/**
 * Leads servers of this machine into the separate network of a command, each at its own port. A socket in a folder that the command
 * only reads connects the two; the command itself cannot open such sockets.
 */
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { shellQuoted } from "../children/shell-program.ts";
import type { JobBridge } from "./job-bridge.ts";

/** A port in the network of a command, and the server that it leads to. */
export interface Inlet {
  readonly port: number;
  /** Connects a client in the network of the command with the server. */
  serve(client: Socket): void;
}

export interface OpenInlets {
  /** The folder of the sockets. */
  readonly folder: string;
  /** Shell text that opens the ports in the network of the command, and waits until they are open. */
  readonly script: string;
  close(): void;
}

/** The place of the folder of sockets in the sandbox. */
export const inletPlace = "/dev/localharness";

/**
 * Opens the sockets of the inlets below the state folder, and those of the bridge to the command if there is one. Rejects with the
 * system's error.
 */
export async function openInlets(
  stateFolder: string,
  { inlets, bridge }: { readonly inlets: readonly Inlet[]; readonly bridge: JobBridge | undefined },
  socat: string,
): Promise<OpenInlets> {
  const all = join(stateFolder, "ports");
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(all, `${process.pid}-`));
  // The address of a socket has at most 107 bytes, so the folder is named by its descriptor.
  const directory = openSync(folder, "r");
  const servers: Server[] = [];
  const close = () => {
    bridge?.close();
    for (const server of servers) server.close();
    closeSync(directory);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const inlet of inlets) {
      servers.push(await listen(join(`/proc/self/fd/${directory}`, String(inlet.port)), inlet.serve));
    }
    const helper = await bridge?.open(`/proc/self/fd/${directory}`, inletPlace, socat);
    const script = [
      ...inlets.map(({ port }) => opening(port, socat)),
      ...(helper === undefined ? [] : [helper]),
    ];
    return { folder, script: script.join("\n"), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Removes the folders of sockets that programs which were killed have left. */
export function sweepInlets(stateFolder: string): void {
  const all = join(stateFolder, "ports");
  if (!existsSync(all)) return;
  for (const name of readdirSync(all)) {
    const pid = Number(/^\d+(?=-)/.exec(name)?.[0]);
    if (pid > 0 && !isRunning(pid)) rmSync(join(all, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function listen(path: string, serve: (client: Socket) => void): Promise<Server> {
  const server = createServer(serve);
  // The command's end does not wait for connections that are still open.
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

/** The maximum number of tries, each after 10 ms, until a port is open. */
const maxTries = 300;

function opening(port: number, socat: string): string {
  const listening = "fork,reuseaddr,backlog=4096";
  const to = `UNIX-CONNECT:${inletPlace}/${port}`;
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const program = shellQuoted(socat);
  return [
    `{ ${program} TCP6-LISTEN:${port},ipv6only=0,${listening} ${to} || exec ${program} TCP4-LISTEN:${port},${listening} ${to}; } >/dev/null 2>&1 </dev/null &`,
    `for _try in {1..${maxTries}}; do`,
    `  while read -r _ _local _ _state _; do [[ $_local == *:${hex} && $_state == 0A ]] && break 2; done < <(exec cat /proc/net/tcp /proc/net/tcp6 2>/dev/null)`,
    "  sleep 0.01",
    "done",
  ].join("\n");
}

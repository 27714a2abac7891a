/** Opens a connection to a folder elsewhere: a WebSocket, or a program that `ssh` starts there. */
import type { Doors } from "@localharness/mcp";
import type { Frames } from "@localharness/mcp/elsewhere";
import { createLineSplitter } from "@localharness/mcp/lines";
import { plainText } from "@localharness/protocol";
import type { PlaceElsewhere } from "./find-place.ts";

/** Returns a function that opens a new connection at each call. The function rejects with an `Error` for the person. */
export function connectTo(place: PlaceElsewhere, doors: Doors): (signal: AbortSignal) => Promise<Frames> {
  if (place.kind === "ssh") return (signal) => overSsh(place, doors, signal);
  return async (signal) => {
    const { openSocket } = await import("@localharness/models/socket-door");
    return openSocket(`${place.url}/ws`, { authorization: `Bearer ${place.token}` }, signal);
  };
}

/** The maximum size of one message, in bytes. */
const maxMessageBytes = 24 * 1024 * 1024;
const shownErrorChars = 300;
/** Variables that `ssh` needs to find the person's keys and settings. */
const sshVariables = ["SSH_AUTH_SOCK", "SSH_AGENT_PID", "USER", "LOGNAME"] as const;

async function overSsh(
  { host, folder }: Extract<PlaceElsewhere, { kind: "ssh" }>,
  doors: Doors,
  signal: AbortSignal,
): Promise<Frames> {
  const stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort(), { once: true });
  const splitter = createLineSplitter(maxMessageBytes);
  let handlers: Parameters<Frames["listen"]>[0] | undefined;
  let early: string[] = [];
  let errors = "";
  const deliver = (line: string) => {
    if (line.trim() === "") return;
    if (handlers === undefined) early.push(line);
    else handlers.onText(line);
  };
  const child = await doors.start({
    command: "ssh",
    args: sshArguments(host, folder),
    cwd: "/",
    environment: sshEnvironment(),
    sandboxed: false,
    signal: stop.signal,
    onOutput(chunk) {
      const lines = splitter.push(chunk);
      if (lines === "too-long") stop.abort();
      else for (const line of lines) deliver(line);
    },
    onErrorOutput(chunk) {
      errors = (errors + new TextDecoder().decode(chunk)).slice(-shownErrorChars);
    },
  });
  return {
    send: (text) => child.write(`${text}\n`),
    listen(given) {
      handlers = given;
      for (const line of early) given.onText(line);
      early = [];
      void child.ended.then((reason) => {
        const said = plainText(errors).trim();
        given.onClosed(`ssh ${host}: ${reason}${said === "" ? "" : `: ${said}`}`);
      });
    },
    close: () => stop.abort(),
    latency: () => undefined,
  };
}

function sshArguments(host: string, folder: string): readonly string[] {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  const quoted = `'${folder.replaceAll("'", `'\\''`)}'`;
  const command = `localharness lend --stdio -- ${quoted}`;
  return [
    "-T",
    ...(port === undefined ? [] : ["-p", port]),
    "-o",
    "ServerAliveInterval=10",
    "--",
    name,
    command,
  ];
}

function sshEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    sshVariables.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Signs the person in at an MCP server, and out again, for `localharness mcp login` and `logout`. */
import { usageError } from "@localharness/engine";
import { expandEntry, type ServerEntry } from "@localharness/mcp/config";
import { countText, plainText } from "@localharness/protocol";
import { exitCodes } from "../commands/exit-code.ts";
import { version } from "../compose/version.ts";
import type { Workbench } from "../compose/workbench.ts";
import { openSignIns } from "./kept-sign-ins.ts";
import type { LoadedServers } from "./load-servers.ts";

export interface LoginDesk {
  readonly bench: Workbench;
  readonly settings: { readonly folder?: string | undefined };
  load(): Promise<LoadedServers>;
  say(...lines: readonly string[]): void;
}

/** Signs in at the server. Returns the exit code: an error if the sign-in fails, but not if the server asks for none. */
export async function logIn(desk: LoginDesk, name: string): Promise<number> {
  const { bench, settings, say } = desk;
  const { entries } = await desk.load();
  const entry = addressEntry(
    entries.find((one) => one.name === name),
    name,
  );
  const { signIn } = await import("@localharness/mcp/sign-in");
  const { listenForRedirect } = await import("@localharness/models/redirect-listener");
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("you stopped it"));
  process.once("SIGINT", stop);
  const end = await signIn(entry, {
    doors: bench.doors,
    version,
    workspace: bench.workspace,
    signal: stopping.signal,
    signIns: openSignIns(settings.folder, bench.journal),
    listen: listenForRedirect,
    show(address) {
      say(`Open this address in your browser to sign in at ${address.host} for the MCP server ${name}:`, "");
      // The address is printed without a fold, so that it can be copied. `href` has neither blanks nor control characters.
      process.stdout.write(`${address.href}\n\n`);
      say("Waiting for the browser to return here. Ctrl-C stops.");
    },
  });
  process.off("SIGINT", stop);
  switch (end.kind) {
    case "signed-in":
      say(`signed in: ${name} (${countText(end.tools, "tool")}${rights(end.scope)})`);
      return exitCodes.done;
    case "open":
      say(`${name} asks for no sign-in`);
      return exitCodes.done;
    case "failed":
      process.stderr.write(`not signed in at ${name}: ${plainText(end.reason)}\n`);
      return exitCodes.error;
  }
}

/** Deletes the sign-in. Returns the exit code: an error if there is none. */
export async function logOut({ bench, settings, say }: LoginDesk, name: string): Promise<number> {
  const known = await openSignIns(settings.folder, bench.journal).remove(name);
  say(known ? `signed out: ${name}; its tokens are deleted here` : `there is no sign-in: ${name}`);
  return known ? exitCodes.done : exitCodes.error;
}

function addressEntry(entry: ServerEntry | undefined, name: string) {
  if (entry === undefined) throw usageError(`there is no server ${name}: localharness mcp list shows them`);
  const expanded = expandEntry(entry, process.env);
  if (!expanded.ok) {
    throw usageError(`the entry uses environment variables that are not set: ${expanded.missing.join(", ")}`);
  }
  if (expanded.entry.kind === "address") return expanded.entry;
  throw usageError(`${name} is a program on this machine, which needs no sign-in`);
}

function rights(scope: string | undefined): string {
  return scope === undefined ? "" : `; it may use: ${scope}`;
}

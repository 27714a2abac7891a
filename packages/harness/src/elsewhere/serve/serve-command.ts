/** `localharness mcp serve`: offers the tools and files of a workspace to MCP clients. */
import { usageError } from "@localharness/engine";
import type { Offer } from "@localharness/mcp/server";
import { reasonOf, visibleLine } from "@localharness/protocol";
import { exitCodes } from "../../commands/exit-code.ts";
import { version } from "../../compose/version.ts";
import { warn } from "../../compose/warn.ts";
import { openWorkbench } from "../../compose/workbench.ts";
import { defaultTools } from "../../config/fields.ts";
import type { Options } from "../../config/options.ts";
import { loadSettings } from "../../config/settings.ts";
import { runRules } from "../../permission/run-rules/run-rules.ts";
import { settleTrust } from "../../permission/trust/settle-trust.ts";
import { folderToken, openFolderToken } from "./folder-token.ts";
import { listenForClients } from "./listen-for-clients.ts";
import { offerWorkspace } from "./offer-workspace.ts";
import { openDesk } from "./open-desk.ts";

export interface ServeMcpCommand {
  /** `serve`, and the words after it. */
  readonly positionals: readonly string[];
  readonly flags: Options & {
    readonly workspace?: string | number | true;
    readonly http?: string | number | true;
    readonly port?: string | number | true;
  };
}

const defaultPort = 4110;
const usage = "localharness mcp serve [--http [--port N]] | localharness mcp serve token [rotate]";

/**
 * Runs the command and returns the exit code. A server runs until a signal arrives or, over standard input and output, until
 * its client closes one of them.
 */
export async function runServeMcp({ positionals, flags }: ServeMcpCommand): Promise<number> {
  const words = positionals.slice(1).join(" ");
  const workspace = typeof flags.workspace === "string" ? flags.workspace : undefined;
  if (words === "token" || words === "token rotate") return showToken(workspace, words === "token rotate");
  if (words !== "") throw usageError(`usage: ${usage}`);
  const port = typeof flags.port === "number" ? flags.port : undefined;
  if (port !== undefined && flags.http !== true) throw usageError("--port belongs to --http");
  if (port !== undefined && port > 65_535) throw usageError(`--port expects at most 65535, got ${port}`);
  const settings = await loadSettings(flags);
  const bench = await openWorkbench(settings, workspace, defaultTools, { allowed: runRules(flags.allow) });
  try {
    const trust = await settleTrust({
      workspace: bench.workspace,
      store: bench.trustStore,
      flags,
      preferMode: bench.preferMode,
      tell: warn,
    });
    const desk = openDesk({
      bench,
      settings,
      trust: trust === "leave" ? "reading" : trust,
      notice: ({ message }) => warn(message),
    });
    const offer = offerWorkspace(bench, desk);
    const close =
      flags.http === true
        ? await overHttp(offer, port ?? defaultPort, folderToken(bench.workspace, bench.journal).token)
        : await overStdio(offer);
    const { code, leave } = untilEnd(flags.http !== true);
    const ended = await code;
    await close();
    await bench.endChildren();
    leave();
    return ended;
  } finally {
    await bench.close();
  }
}

async function overStdio(offer: Offer): Promise<() => Promise<void>> {
  const { serveOverStdio } = await import("@localharness/mcp/server");
  return serveOverStdio(offer, version, tellError);
}

async function overHttp(
  offer: Offer,
  port: number,
  readToken: () => Promise<string>,
): Promise<() => Promise<void>> {
  await readToken();
  const { address, close } = await listenForClients(offer, { port, readToken, onError: tellError });
  print(`serving ${offer.root} at ${address}`);
  print(
    "a client sends the header Authorization: Bearer TOKEN; localharness mcp serve token prints the token",
  );
  return close;
}

async function showToken(workspace: string | undefined, rotate: boolean): Promise<number> {
  const file = await openFolderToken(workspace);
  if (rotate) await file.rotate();
  print(await file.token());
  return exitCodes.done;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Returns `code`, which resolves to the exit code when a signal arrives or, with `stdio`, when the client has closed
 * standard input or no longer reads standard output (exit code 0). `leave` stops watching for signals.
 */
function untilEnd(stdio: boolean): { readonly code: Promise<number>; leave(): void } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const done = () => resolve(exitCodes.done);
  const interrupted = () => resolve(exitCodes.interrupted);
  if (stdio) {
    process.stdin.once("end", done).once("close", done);
    process.stdout.on("error", done);
  }
  for (const name of signals) process.once(name, interrupted);
  return {
    code: promise,
    leave() {
      for (const name of signals) process.off(name, interrupted);
    },
  };
}

function tellError(error: Error): void {
  warn(reasonOf(error));
}

function print(text: string): void {
  process.stdout.write(`${visibleLine(text)}\n`);
}

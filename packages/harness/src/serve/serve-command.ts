/** `localharness mcp serve`: offers the tools and files of a workspace to an MCP client over standard input and output. */
import { reasonOf, visibleLine } from "@localharness/protocol";
import { defaultTools } from "../config/fields.ts";
import { loadSettings } from "../config/settings.ts";
import { exitCodes } from "../exit-code.ts";
import { folded } from "../fold-lines.ts";
import type { Options } from "../options.ts";
import { runRules } from "../run-rules/run-rules.ts";
import { settleTrust } from "../trust/settle-trust.ts";
import { version } from "../version.ts";
import { openWorkbench } from "../workbench.ts";
import { offerWorkspace } from "./offer-workspace.ts";
import { openDesk } from "./open-desk.ts";

/** Runs the server until the client closes standard input or a signal arrives. Returns the exit code. */
export async function serveMcp(
  flags: Options & { readonly workspace?: string | number | true },
): Promise<number> {
  const settings = await loadSettings(flags);
  const workspace = typeof flags.workspace === "string" ? flags.workspace : undefined;
  const bench = await openWorkbench(settings, workspace, defaultTools, { allowed: runRules(flags.allow) });
  try {
    const trust = await settleTrust({
      workspace: bench.workspace,
      store: bench.trustStore,
      flags,
      preferMode: bench.preferMode,
      tell,
    });
    const desk = openDesk({
      bench,
      settings,
      trust: trust === "leave" ? "reading" : trust,
      notice: ({ message }) => tell(message),
    });
    const { serveOverStdio } = await import("@localharness/mcp/server");
    const close = serveOverStdio(offerWorkspace(bench, desk), version, (error) => tell(reasonOf(error)));
    const { code, leave } = untilEnd();
    const ended = await code;
    await close();
    await bench.endChildren();
    leave();
    return ended;
  } finally {
    await bench.close();
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Resolves when the client has closed standard input (exit code 0) or a signal arrives. */
function untilEnd(): { readonly code: Promise<number>; leave(): void } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const done = () => resolve(exitCodes.done);
  const interrupted = () => resolve(exitCodes.interrupted);
  process.stdin.once("end", done).once("close", done);
  for (const name of signals) process.once(name, interrupted);
  return {
    code: promise,
    leave() {
      for (const name of signals) process.off(name, interrupted);
    },
  };
}

/** Tells the person a message on standard error. Standard output belongs to the protocol. */
function tell(text: string): void {
  process.stderr.write(folded(`! ${visibleLine(text)}\n`, process.stderr));
}

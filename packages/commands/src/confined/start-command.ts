/** Prepares the start of a shell command: in the sandbox, with what the person granted to this call, or outside of it. */
import type { CallFacts, ToolContext } from "@localharness/engine";
import { shellArguments } from "@localharness/processes/children/shell-program";
import type { HostQuestions } from "@localharness/processes/sandbox/host-questions";
import type { JobBridge } from "@localharness/processes/sandbox/job-bridge";
import type { JobPorts } from "@localharness/processes/sandbox/job-ports";
import type { Sandbox, SandboxedCommand } from "@localharness/processes/sandbox/sandbox";
import { defined, reasonOf } from "@localharness/protocol";
import { type Failure, refused } from "@localharness/workspace/outcome";
import type { Words } from "../shell/programs/program.ts";
import { closedRebase } from "./closed-rebase.ts";
import { isJudgedByRules } from "./is-judged.ts";
import { cacheVariablesOf } from "./network-needs.ts";
import { grantOf, outsideOffer } from "./sandbox-offers.ts";

export interface StartedCommand extends SandboxedCommand {
  /** Reaches the servers of the command; only for a command in the background in the sandbox. */
  readonly bridge?: JobBridge;
}

export interface CommandToStart {
  readonly command: string;
  readonly background: boolean;
  /** Every call that was found in the command. */
  readonly found: readonly Words[];
  /** Asks the person about the hosts of the command; absent if nobody is asked. */
  readonly questions?: HostQuestions;
}

const unconfined = {
  environment: {},
  gitSettings: {},
  closed: [],
  byRules: [],
  held: [],
  home: undefined,
  done: () => {},
};

/**
 * Returns the program to start, in the sandbox if it is on and the person did not let this call leave it. Fails if the sandbox
 * cannot be set up, or if the command continues or ends a rebase that the sandbox closes.
 */
export async function startCommand(
  { sandbox, ports }: { readonly sandbox: Sandbox; readonly ports: JobPorts },
  { command, background, found, questions }: CommandToStart,
  context: ToolContext,
): Promise<StartedCommand | Failure> {
  const shell = shellArguments(command);
  const leaves = context.offer === outsideOffer && sandbox.mayLeave;
  if (sandbox.state.kind !== "on" || leaves) return { ...shell, ...unconfined };
  try {
    const inlets = await ports.inlets();
    const isLinux = process.platform === "linux";
    const bridge = background && isLinux ? ports.bridge(inlets) : undefined;
    const calls = callsOf(context.examined);
    const granted = grantOf(context.offer, calls, sandbox);
    const grant = {
      ...granted,
      cacheVariables: cacheVariablesOf(calls, (granted.caches ?? []).length > 0),
      inlets,
      ...defined({ bridge, questions }),
    };
    const started = await sandbox.wrap(shell, context.signal, context.closedPlaces, {
      grant,
      isJudged: isJudgedByRules(context.examined),
    });
    const problem = closedRebase([...found, ...calls], started.closed);
    if (problem === undefined) return { ...started, ...defined({ bridge }) };
    started.done();
    return refused("permission_denied", problem);
  } catch (error) {
    if (context.signal.aborted) return refused("cancelled", "The command was ended because of an interrupt.");
    return refused(
      "io_error",
      `The sandbox could not be set up, so nothing ran: ${reasonOf(error)}. The person can run without it: --sandbox off.`,
    );
  }
}

/** Returns all program calls of a command, also those that wrappers start or that could not be read with certainty. */
export function callsOf(examined: CallFacts | undefined): readonly (readonly string[])[] {
  const { calls = [], hidden = [] } = examined?.command ?? {};
  return [...calls, ...hidden];
}

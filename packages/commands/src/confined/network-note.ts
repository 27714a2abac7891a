/** Recognises a command that failed because of the network of the sandbox, and says what can be done. */

import type { HostOutcome } from "@localharness/processes/sandbox/host-questions";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";
import { needsNetwork, networkEffect } from "../shell/command-effect.ts";
import type { Words } from "../shell/programs/program.ts";

/** Matches the messages of programs that found no network, no name server, or no proxy that lets their requests through. */
const failure = new RegExp(
  [
    "could not resolve (?:host|proxy|hostname)",
    "couldn't resolve host",
    "EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ENETDOWN",
    "network is (?:unreachable|down)",
    "no route to host",
    "temporary failure (?:in name resolution|resolving)",
    "name or service not known",
    "nodename nor servname provided",
    "name resolution failed|failed to lookup address|no address associated with hostname",
    "unable to resolve host address|unknown host|bad address '",
    "getaddrinfo|dial tcp|dns error",
    "failed to establish a new connection",
    "could not connect to server|failed to connect to \\S+ port|connection blocked by network allowlist",
  ].join("|"),
  "i",
);

/** Matches an error line of a program whose failure does not end the command, as in `curl URL | head`. */
const failureInPipe = /^(?:curl: \((?:5|6|7)\)|wget: (?:unable|bad)|Connecting to .* failed)/im;
const localAddress = /\blocalhost\b|\b127\.\d+\.\d+\.\d+\b|\[::1\]|\b0\.0\.0\.0\b/;
const refusedConnection = /connection refused|ECONNREFUSED|failed to connect to \S+ port|failed: refused/i;

/** The note about a server of this machine that a command did not reach. */
export const networkOfCommand =
  "each command has a separate network in the sandbox: at 127.0.0.1 it reaches what it starts itself, and what commands in the background listened on before it began. If the server has just been started, call again. A server of the person is closed unless they name its port in the setting sandbox_domains (localhost:PORT); they can run the command outside of the sandbox with ! before it";

/** The sentence about the servers of a job that listens on no port yet. */
export const serversOfJob =
  "If it starts a server, read_output tells when it listens, and later commands reach it at its port of 127.0.0.1";

export interface FailedRequest {
  /** The offer that the person took for this call; absent if none. */
  readonly offer?: string;
  /** What became of the hosts about which the person was asked; absent if nobody is asked. */
  readonly hosts?: HostOutcome;
  /** The program calls of the command; empty if they are not known. */
  readonly calls: readonly Words[];
  readonly output: string;
  readonly succeeded: boolean;
}

/** Returns a note for the model and the person if the sandbox's network seems to cause a failure; else undefined. */
export function networkNote(
  { state, domains }: Pick<Sandbox, "state" | "domains">,
  request: FailedRequest,
): string | undefined {
  if (state.kind !== "on") return undefined;
  if (isLocalRequest(request)) return networkOfCommand;
  const opened = request.hosts?.opened ?? [];
  const isHidden = domains.length === 0 && opened.length === 0 && mayHideFailure(request);
  const { output, succeeded } = request;
  if (!isHidden && !(succeeded ? failureInPipe : failure).test(output)) return undefined;
  const remedy =
    "they can also add hosts to the setting sandbox_domains, start again with --sandbox off, or run the command themselves with ! before it. web_fetch reads a page with their permission";
  if (request.offer !== undefined) {
    return `this call had the network that the question about it named. This machine, its networks and other hosts stay closed. Ask the person: ${remedy}`;
  }
  if (opened.length > 0) {
    return `this command reached ${opened.join(", ")}, as the person allowed. They are asked about each other host that a program reaches through the proxy of the sandbox. Ask the person if that is not enough: ${remedy}`;
  }
  const open =
    domains.length === 0
      ? "the sandbox closes the network for commands"
      : `the sandbox lets commands reach only ${domains.join(", ")}`;
  return `${open}. If the command needs more, make exactly this call again: the person is then asked to open the network for it. Ask the person if that is not enough: ${remedy}`;
}

/**
 * Returns true if the command succeeded although a call may have failed to reach the network: it has several calls, or no
 * output. For example, `curl -s URL | head` succeeds and prints nothing.
 */
function mayHideFailure({ calls, output, succeeded }: FailedRequest): boolean {
  return succeeded && needsNetwork(calls) && (calls.length > 1 || output.trim() === "");
}

/** Returns true if the command seems to have failed to reach a server of this machine. */
function isLocalRequest({ calls, output }: FailedRequest): boolean {
  const isRefused = refusedConnection.test(output);
  if (!calls.some((words) => words.some((word) => localAddress.test(word)))) {
    return isRefused && localAddress.test(output);
  }
  const isRequest = calls.some(([name = "", ...args]) => networkEffect(name, args) !== undefined);
  return isRefused || (output.trim() === "" && isRequest);
}

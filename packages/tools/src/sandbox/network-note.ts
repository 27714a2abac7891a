/** Recognises a command that failed because of the network of the sandbox, and says what can be done. */
import { needsNetwork, networkEffect } from "../shell/command-effect.ts";
import type { Words } from "../shell/programs/program.ts";
import type { Sandbox } from "./sandbox.ts";

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

/**
 * The note about a server that a background job or an earlier command has started: each command in the sandbox has a
 * separate network, so no other command reaches that server.
 */
export const networkOfCommand =
  "the sandbox keeps a command from servers that another command or the person has started, because each command has a separate network. Start the server and send the requests in one command, or ask the person: they can run the command outside of the sandbox with ! before it, or start again with --sandbox off";

export interface FailedRequest {
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
  const isHidden = domains.length === 0 && mayHideFailure(request);
  const { output, succeeded } = request;
  if (!isHidden && !(succeeded ? failureInPipe : failure).test(output)) return undefined;
  const open =
    domains.length === 0
      ? "the sandbox closes the network for commands"
      : `the sandbox lets commands reach only ${domains.join(", ")}`;
  return `${open}, and no call can change that. Ask the person: they can add hosts to the setting sandbox_domains, start again with --sandbox off, or run the command themselves with ! before it. web_fetch reads a page with their permission`;
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

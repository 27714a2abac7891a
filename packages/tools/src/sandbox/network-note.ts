/** Recognises a command that failed because the sandbox has no network, and says what can be done. */
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

/** Returns a note for the model and the person about the closed network; undefined if the failure has another cause. */
export function networkNote(
  { state, domains }: Pick<Sandbox, "state" | "domains">,
  output: string,
): string | undefined {
  if (state.kind !== "on" || !failure.test(output)) return undefined;
  const open =
    domains.length === 0
      ? "the sandbox closes the network for commands"
      : `the sandbox lets commands reach only ${domains.join(", ")}`;
  return `${open}, and no call can change that. Ask the person: they can add hosts to the setting sandbox_domains, start again with --sandbox off, or run the command themselves with ! before it. web_fetch reads a page with their permission`;
}

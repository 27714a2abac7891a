/** Makes the offers for a command that is known to fail in the sandbox: the network, for one call or per host, or no sandbox. */
import type { CallFacts } from "@localharness/engine";
import { cacheFolders } from "@localharness/processes/sandbox/cache-folders";
import type { CallGrant } from "@localharness/processes/sandbox/call-grants";
import { covers, isThisMachine } from "@localharness/processes/sandbox/named-hosts";
import type { Sandbox } from "@localharness/processes/sandbox/sandbox";
import type { PermissionOffer } from "@localharness/protocol";
import { needsNetwork, onlyDownloads, startsOutsideSandbox } from "../shell/command-effect.ts";
import type { Words } from "../shell/programs/program.ts";
import { cachesOf, hostsOf } from "./network-needs.ts";

export const outsideOffer = "outside";
const listedOffer = "listed-hosts";
const networkOffer = "network";
const sessionOffer = "session-hosts";

/** Returns the facts with the offers, if the sandbox is known to stop the command. */
export function withSandboxOffers(facts: CallFacts, sandbox: Sandbox): CallFacts {
  const { command } = facts;
  if (sandbox.state.kind !== "on" || command === undefined) return facts;
  const calls = [...(command.calls ?? []), ...(command.hidden ?? [])];
  const failure = sandbox.grants.failureOf(command.text);
  const network = needsNetwork(calls) || failure === "network";
  const outside = failure === "writes" || startsOutsideSandbox(calls);
  if (!network && !outside) return facts;
  if (failure === undefined && onlyDownloads(calls) && reachesSessionHosts(calls, sandbox)) {
    const { leaves: _leaves, ...stays } = command;
    return { ...facts, command: stays };
  }
  const offers = [...(network ? networkOffers(calls, sandbox) : []), ...leavingOffers(sandbox)];
  if (offers.length === 0) return facts;
  const leaves = command.leaves ?? leavesBecause[failure ?? "network"];
  return { ...facts, offers, command: { ...command, leaves } };
}

const leavesBecause = {
  network: "it failed before without the network, which the sandbox closes",
  writes: "it failed before at a place that the sandbox closes",
} as const;

function networkOffers(calls: readonly Words[], { grants }: Sandbox): readonly PermissionOffer[] {
  const needed = neededCalls(calls);
  const hosts = hostsOf(needed);
  const caches = cachesOf(needed).join(", ");
  const writes = caches === "" ? "" : `; it may write ${caches}`;
  const listed = hosts?.every((host) => grants.hosts().some((entry) => covers(entry, host))) ?? false;
  const any: PermissionOffer = {
    id: networkOffer,
    words: "Once, with the network",
    short: "Network",
    detail: `this call reaches any public host, but not this machine and its networks${writes}`,
  };
  if (listed && hosts !== undefined) {
    const detail = `this call reaches the hosts of sandbox_domains and of this session, such as ${hosts.join(", ")}${writes}`;
    return [
      { id: listedOffer, words: "Once, with the network of the listed hosts", short: "Network", detail },
    ];
  }
  const namable = hosts?.filter((host) => !isThisMachine(host.replace(/:\d+$/, ""))) ?? [];
  if (hosts === undefined || namable.length !== hosts.length) return [any];
  const detail = `this and later commands of this session reach ${hosts.join(", ")}${caches === "" ? "" : `; this call may write ${caches}`}`;
  return [
    any,
    { id: sessionOffer, words: `For this session, with ${hosts.join(", ")}`, short: "Session", detail },
  ];
}

/** Returns the calls that need the network; all calls if none is known to. */
function neededCalls(calls: readonly Words[]): readonly Words[] {
  const needed = calls.filter((call) => needsNetwork([call]));
  return needed.length === 0 ? calls : needed;
}

function leavingOffers({ mayLeave }: Sandbox): readonly PermissionOffer[] {
  if (!mayLeave) return [];
  const detail = "all your files and keys are open to it";
  return [{ id: outsideOffer, words: "Once, outside of the sandbox", short: "Outside", detail, warns: true }];
}

/** Returns true if the calls need no other hosts than those that the person named in this session. */
function reachesSessionHosts(calls: readonly Words[], { grants }: Sandbox): boolean {
  const hosts = hostsOf(neededCalls(calls));
  return hosts?.every((host) => grants.sessionHosts().some((entry) => covers(entry, host))) ?? false;
}

/** Returns what the command may do after the person took the offer. Lets the session's commands reach hosts if the offer says so. */
export function grantOf(offer: string | undefined, calls: readonly Words[], sandbox: Sandbox): CallGrant {
  if (offer === undefined && !reachesSessionHosts(calls, sandbox)) return {};
  const needed = neededCalls(calls);
  const caches = cacheFolders(cachesOf(needed));
  if (offer === networkOffer) return { anyHost: true, caches };
  if (offer === sessionOffer) sandbox.grants.addHosts(hostsOf(needed) ?? []);
  return { caches };
}

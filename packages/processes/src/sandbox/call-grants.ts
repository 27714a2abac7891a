/** Keeps what the person granted to commands beyond the sandbox's settings: the network for one call, and hosts for the session. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { canonicalHost } from "./canonical-host.ts";
import { type HostQuestions, type HostVerdict, refused } from "./host-questions.ts";
import type { Inlet } from "./inlets.ts";
import type { JobBridge } from "./job-bridge.ts";
import { covers } from "./named-hosts.ts";

/** What one command may do beyond the settings. */
export interface CallGrant {
  /** True if the command may reach every public host. */
  readonly anyHost?: boolean;
  /** Asks the person about other hosts; absent if nobody is asked. */
  readonly questions?: HostQuestions;
  /** The absolute paths of caches that the command may write. */
  readonly caches?: readonly string[];
  /** The variables that name a cache, for which the command gets a folder of the session if it has a network. */
  readonly cacheVariables?: readonly string[];
  /** The servers of other commands of the session that the command reaches. */
  readonly inlets?: readonly Inlet[];
  /** Reaches the servers that the command itself starts. */
  readonly bridge?: JobBridge;
}

export interface CallGrants {
  /** The hosts that the settings name and those that the person named in this session. */
  hosts(): readonly string[];
  /** The hosts that the person named or allowed in this session. */
  sessionHosts(): readonly string[];
  /** Those that the person named, which are open also if they are on a network of this machine. */
  namedHosts(): readonly string[];
  /** Lets all later commands reach the hosts. */
  addHosts(hosts: readonly string[]): void;
  /** Registers a running command that has a network. Call the result when the command has ended. */
  started(grant: CallGrant): () => void;
  /**
   * Resolves to true if a host that no list has is open, else to the reason. It is open if the person allowed it for the session, or
   * while each running command with a network has a grant for it, because a request does not tell which command makes it. Else the
   * person is asked, if a running command has questions. Addresses of this machine and its networks are never open. A name is
   * looked up only if the person has opened it.
   */
  admits(host: string, port?: number): Promise<true | string>;
  /** Notes that a command failed in the sandbox, and why. */
  noteFailure(command: string, failure: SandboxFailure): void;
  /** Returns why this very command failed before; undefined if it did not. */
  failureOf(command: string): SandboxFailure | undefined;
}

/** The wall of the sandbox that made a command fail. */
export type SandboxFailure = "network" | "writes";

const maxFailures = 200;

/** Returns true for an address of the internet. */
export type IsPublic = (address: string) => boolean | Promise<boolean>;

export function createCallGrants(domains: readonly string[], isPublic: IsPublic): CallGrants {
  const named: string[] = [];
  const allowed = new Set<string>();
  const running = new Set<CallGrant>();
  const failures = new Map<string, SandboxFailure>();
  const sessionHosts = () => [...named, ...allowed];
  const hosts = () => [...domains, ...sessionHosts()];
  const isOpen = (host: string) =>
    allowed.has(host) ||
    [...running].every(({ anyHost, questions }) => anyHost === true || questions?.reaches(host) === true);
  /** Decides about a host that is not open. */
  const decided = async (host: string, port: number | undefined): Promise<HostVerdict> => {
    const questions = [...running].find((one) => one.questions !== undefined)?.questions;
    if (questions === undefined) {
      const isAny = [...running].some(({ anyHost }) => anyHost === true);
      return refused(isAny ? reasons.others : reasons.none);
    }
    if (loopbackName.test(host) || (isIP(host) !== 0 && !(await isPublic(host)))) {
      questions.noteNear(host);
      return refused(reasons.near);
    }
    const isAlone = [...running].every((one) => one.anyHost === true || one.questions === questions);
    return await questions.ask({ host, port, isAlone });
  };
  return {
    hosts,
    sessionHosts,
    namedHosts: () => named,
    addHosts(added) {
      for (const host of added) if (!hosts().some((entry) => covers(entry, host))) named.push(host);
    },
    started(grant) {
      const one = { ...grant };
      running.add(one);
      return () => void running.delete(one);
    },
    async admits(name, port) {
      const host = canonicalHost(name);
      if (host === undefined) return reasons.noName;
      if (running.size === 0) return reasons.none;
      const verdict = isOpen(host) ? undefined : await decided(host, port);
      if (verdict?.kind === "refused") return verdict.reason;
      const near = await nearness(host, isPublic);
      if (near === reasons.near) {
        for (const { questions } of running) if (questions?.reaches(host) === true) questions.noteNear(host);
        return near;
      }
      if (verdict?.kind === "session") allowed.add(host);
      if (near !== undefined) return near;
      return isOpen(host) || reasons.others;
    },
    noteFailure(command, failure) {
      failures.delete(command);
      failures.set(command, failure);
      const [oldest] = failures.keys();
      if (failures.size > maxFailures && oldest !== undefined) failures.delete(oldest);
    },
    failureOf: (command) => failures.get(command),
  };
}

/** Matches the names that mean this machine, whatever a server of names says. */
const loopbackName = /^(?:.*\.)?localhost$/;

/** The reasons for a refusal, which the command gets from the proxy. */
const reasons = {
  noName: "this is no name of a host",
  none: "no command may reach this host",
  others: "another command that may reach only some hosts is running",
  missing: "the host was not found",
  near: "the host is this machine or on its networks",
} as const;

/** Resolves to the reason why a host is closed to commands whoever allows it; undefined if it is on the internet. */
async function nearness(host: string, isPublic: IsPublic): Promise<string | undefined> {
  const addresses = await addressesOf(host);
  if (addresses.length === 0) return reasons.missing;
  for (const address of addresses) {
    if (!(await isPublic(address))) return reasons.near;
  }
  return undefined;
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Describes the process that holds a lock, and finds out whether that process still runs. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { defined } from "@localharness/protocol";

export interface LockHolder {
  readonly pid?: number;
  /** The name of the machine or container. It may change. */
  readonly host?: string;
  /** The start time of the process. It distinguishes the process from a later process with the same id. */
  readonly started?: string;
  /** The boot and the process id namespace in which `pid` is valid. */
  readonly place?: string;
  /**
   * A permanent id of the machine, which its name and restarts do not change. Absent in containers, because a container
   * may be a copy.
   */
  readonly machine?: string;
}

/** Describes this process. */
export function ownHolder(): Required<Pick<LockHolder, "pid" | "host">> & LockHolder {
  const pids = read(() => readlinkSync("/proc/self/ns/pid"));
  const boot = read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  const machine = pids === pidsOfMachine ? read(() => readFileSync("/etc/machine-id", "utf8")) : undefined;
  const started = startOf(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    ...defined({ started }),
    ...(pids === undefined || boot === undefined ? {} : { place: `${boot} ${pids}` }),
    // Only a hash of the id is stored, because the id is private and people share session files.
    ...(machine !== undefined && /^[0-9a-f]{32}$/.test(machine) ? { machine: marked(machine) } : {}),
  };
}

/** The process id namespace outside of all containers. It has this number on every Linux system. */
const pidsOfMachine = "pid:[4026531836]";

function marked(machine: string): string {
  return createHash("sha256").update(`localharness ${machine}`).digest("hex").slice(0, 32);
}

/** Returns what `source` reads, trimmed; undefined if the system does not provide it. */
function read(source: () => string): string | undefined {
  try {
    return source().trim();
  } catch {
    return undefined;
  }
}

/**
 * Parses the text of a lock. A bare number is a process id, as other programs write it. Returns `{}` for invalid text.
 */
export function readHolder(text: string): LockHolder {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "number") return { pid: value };
    const { pid, ...texts } = value as Readonly<Record<string, unknown>>;
    const named = (["host", "started", "place", "machine"] as const).flatMap((name) => {
      const one = texts[name];
      return typeof one === "string" ? [[name, one] as const] : [];
    });
    return { ...(typeof pid === "number" ? { pid } : {}), ...Object.fromEntries(named) };
  } catch {
    return {};
  }
}

/**
 * Returns where the holder runs. `here` means in this process id namespace, as far as is known: also a holder without a host
 * name, or with that of this machine, counts as `here`, because a container that is started again keeps its name and gets
 * another namespace. `gone` means on this machine before its last restart. `elsewhere` means that nothing is known of the
 * process.
 */
export function whereIs(holder: LockHolder, here: LockHolder): "here" | "gone" | "elsewhere" {
  if (holder.place !== undefined && holder.place === here.place) return "here";
  if (holder.machine !== undefined && holder.machine === here.machine) return "gone";
  if (holder.host !== undefined && holder.host !== here.host) return "elsewhere";
  return areMachineAndContainer(holder.place, here.place) ? "elsewhere" : "here";
}

/**
 * Returns true if one of two different places is a machine and the other a container that runs on it, in the same boot. The
 * namespace of the machine lasts as long as the boot, so neither place can be the other one started again.
 */
function areMachineAndContainer(one = "", other = ""): boolean {
  const [boot, pids] = one.split(" ");
  const [otherBoot, otherPids] = other.split(" ");
  return boot !== "" && boot === otherBoot && [pids, otherPids].includes(pidsOfMachine);
}

/** Returns true if the process still runs, false if it has no id. It must belong to this process id namespace. */
export function isAlive({ pid, started }: LockHolder): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
  }
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}

/** Returns the start time of a process in clock ticks since boot; undefined without /proc, or if no such process runs. */
function startOf(pid: number): string | undefined {
  return read(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

/** Describes the process that holds a lock, and finds out if that process still runs. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { defined } from "@localharness/protocol";

export interface LockHolder {
  readonly pid?: number;
  /** Name of the machine or container; it may change. */
  readonly host?: string;
  /** Start time of the process, which distinguishes it from a later process with the same id. */
  readonly started?: string;
  /** The boot and the process id namespace in which `pid` is valid. */
  readonly place?: string;
  /**
   * A permanent id of the machine, independent of its name and of restarts. Absent in containers, which may be copies.
   */
  readonly machine?: string;
}

/** Returns the description of this process. */
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
    // A hash, not the id itself: the id is private, and people share session files.
    ...(machine !== undefined && /^[0-9a-f]{32}$/.test(machine) ? { machine: marked(machine) } : {}),
  };
}

/** The process id namespace outside of all containers; it has this number on every Linux. */
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
 * Parses the text of a lock. A bare number is a process id, as other programs write it. Returns `{}` for anything
 * invalid.
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
 * Returns the place of the holder. `gone`: on this machine, before its last restart. `elsewhere`: nothing is known of the
 * process.
 */
export function whereIs(holder: LockHolder, here: LockHolder): "here" | "gone" | "elsewhere" {
  if (holder.place !== undefined && holder.place === here.place) return "here";
  if (holder.machine !== undefined && holder.machine === here.machine) return "gone";
  return holder.host === undefined || holder.host === here.host ? "here" : "elsewhere";
}

/** Returns true if a process of this process id namespace still runs. */
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

/** Returns the start time of a process in clock ticks since boot; undefined without /proc. */
function startOf(pid: number): string | undefined {
  return read(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

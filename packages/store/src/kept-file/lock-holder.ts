/** What a lock says of the process that has it, and whether that process is one that can be seen from here. */
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface LockHolder {
  readonly pid?: number;
  /** Of the machine or the container; it may have another one tomorrow. */
  readonly host?: string;
  /** When the process began, so that another one with the same id is not taken for it. */
  readonly started?: string;
  /** Where its id means something: one start of one machine, and there one space of process ids. */
  readonly place?: string;
  /** Of a machine whatever it is called and however often it starts; containers, which may be copies, have none. */
  readonly machine?: string;
}

export function ownHolder(): Required<Pick<LockHolder, "pid" | "host">> & LockHolder {
  const pids = read(() => readlinkSync("/proc/self/ns/pid"));
  const boot = read(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  const machine = pids === pidsOfMachine ? read(() => readFileSync("/etc/machine-id", "utf8")) : undefined;
  const started = startOf(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    ...(started === undefined ? {} : { started }),
    ...(pids === undefined || boot === undefined ? {} : { place: `${boot} ${pids}` }),
    // Not the id itself: it is nobody's business, and files of sessions are given away.
    ...(machine !== undefined && /^[0-9a-f]{32}$/.test(machine) ? { machine: marked(machine) } : {}),
  };
}

/** The space of process ids outside of all containers has this number on every Linux. */
const pidsOfMachine = "pid:[4026531836]";

function marked(machine: string): string {
  return createHash("sha256").update(`localharness ${machine}`).digest("hex").slice(0, 32);
}

/** Undefined where nobody tells. */
function read(source: () => string): string | undefined {
  try {
    return source().trim();
  } catch {
    return undefined;
  }
}

/** A bare number is a process id, as other programs write it. */
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

/** `gone`: of this machine before it was started anew. Of a process `elsewhere` nothing can be known. */
export function whereIs(holder: LockHolder, here: LockHolder): "here" | "gone" | "elsewhere" {
  if (holder.place !== undefined && holder.place === here.place) return "here";
  if (holder.machine !== undefined && holder.machine === here.machine) return "gone";
  return holder.host === undefined || holder.host === here.host ? "here" : "elsewhere";
}

/** Of a process that can be seen from here. */
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

function startOf(pid: number): string | undefined {
  return read(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

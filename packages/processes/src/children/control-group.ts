/**
 * Makes a separate Linux control group for each program that is run, if the system permits it. The program's processes
 * stay in the group even after `setsid`, so all of them can be found, counted and killed in one step. On other systems
 * `process-tree.ts` finds them.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ownMark, processMark } from "@localharness/workspace/files/process-mark";

export interface ControlGroups {
  /** The folder with the groups of this session. Killing this group kills all processes in them. */
  readonly path: string;
  /** Creates a group for one run. Returns undefined if the system refuses. */
  create(limits: GroupLimits): RunGroup | undefined;
  /** Removes the empty groups. */
  close(): void;
}

export interface GroupLimits {
  readonly processes: number;
  readonly memoryBytes: number | undefined;
}

export interface RunGroup {
  /** The file through which a process joins the group: the process writes "0" to it. */
  readonly joinFile: string;
  /** Returns the ids of all processes in the group. */
  members(): readonly number[];
  kill(): void;
  /** Removes the group. Returns false if it still exists, because a process or another group is in it. */
  remove(): boolean;
}

const prefix = "localharness-";

/**
 * Returns the control groups; undefined if the system has no control groups of version 2, or if this process may not create
 * groups. First kills what remains in the groups of earlier processes of this program that were killed.
 */
export function openControlGroups(): ControlGroups | undefined {
  const base = ownGroup();
  if (base === undefined) return undefined;
  removeLeftOvers(base);
  const path = join(base, `${prefix}${ownMark()}-${Math.random().toString(36).slice(2, 8)}`);
  try {
    accessSync(join(base, "cgroup.procs"), constants.W_OK);
    mkdirSync(path);
    accessSync(join(path, "cgroup.kill"), constants.W_OK);
  } catch {
    removeQuietly(path);
    return undefined;
  }
  passControllersOn(path);
  let counter = 0;
  return {
    path,
    create: (limits) => {
      counter += 1;
      return createRunGroup(join(path, `run-${counter}`), limits);
    },
    close: () => removeTree(path),
  };
}

function createRunGroup(path: string, limits: GroupLimits): RunGroup | undefined {
  try {
    mkdirSync(path);
  } catch {
    return undefined;
  }
  setQuietly(join(path, "pids.max"), String(limits.processes));
  setQuietly(join(path, "memory.max"), limits.memoryBytes === undefined ? "max" : String(limits.memoryBytes));
  return {
    joinFile: join(path, "cgroup.procs"),
    members: () => membersOf(path),
    kill: () => setQuietly(join(path, "cgroup.kill"), "1"),
    remove: () => removeQuietly(path),
  };
}

/** Returns the folder of the group in which this process runs; undefined without control groups of version 2. */
function ownGroup(): string | undefined {
  try {
    const own = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    for (const line of readFileSync("/proc/self/mountinfo", "utf8").split("\n")) {
      const [fields = "", type = ""] = line.split(" - ");
      const [, , , root = "", place = ""] = fields.split(" ");
      if (own !== undefined && type.startsWith("cgroup2 ") && (root === "/" || own.startsWith(root))) {
        return join(place, root === "/" ? own : own.slice(root.length));
      }
    }
  } catch {
    // Without /proc there are no control groups.
  }
  return undefined;
}

/** Enables the controllers for the groups of single runs. Works only for controllers that this group has. */
function passControllersOn(path: string): void {
  for (const controller of ["pids", "memory"]) {
    setQuietly(join(path, "cgroup.subtree_control"), `+${controller}`);
  }
}

function membersOf(path: string): readonly number[] {
  try {
    const own = readFileSync(join(path, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
    return [...own, ...folders(path).flatMap((name) => membersOf(join(path, name)))];
  } catch {
    return [];
  }
}

/** Kills the processes in the groups that other harness processes left when they were killed, and removes the groups. */
function removeLeftOvers(base: string): void {
  for (const name of folders(base)) {
    const owner = name.startsWith(prefix) ? /^localharness-(\d+-\d+)-/.exec(name)?.[1] : undefined;
    if (owner !== undefined && processMark(Number.parseInt(owner, 10)) !== owner) {
      setQuietly(join(base, name, "cgroup.kill"), "1");
      removeTree(join(base, name));
    }
  }
}

function removeTree(path: string): void {
  for (const name of folders(path)) {
    removeTree(join(path, name));
  }
  removeQuietly(path);
}

function folders(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch {
    return [];
  }
}

function setQuietly(path: string, value: string): void {
  try {
    if (existsSync(path)) {
      writeFileSync(path, value);
    }
  } catch {
    // The system does not support this setting; `watch-limits.ts` still enforces the limits.
  }
}

function removeQuietly(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return !existsSync(path);
  }
}

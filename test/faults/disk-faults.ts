/**
 * Simulates a failing disk: counts the file operations of this process in one folder and makes the n-th of them fail,
 * once or from then on. All other operations run in `node:fs` on a real folder.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";

export interface Fault {
  /** The number of the operation that fails, from 1. */
  readonly at: number;
  /** The error code that it fails with. With `SIGKILL` the process is killed there. */
  readonly code: string;
  /** What fails: only that operation (false), all from there on ("all"), or of those only the sorts in `refused` ("fitting"). */
  readonly lasting: false | "all" | "fitting";
  /** `refuse`: fails and does nothing. `half`: writes the first half, then fails. `short`: writes half without an error. */
  readonly kind: "refuse" | "half" | "short";
}

/** The sort of an operation decides whether a disk refuses it: a full disk still removes, a read-only one still reads. */
export type Sort = "look" | "open" | "make" | "write" | "rename" | "remove" | "close" | "sync";

export interface Operation {
  readonly name: string;
  readonly sort: Sort;
}

export interface DiskFaults {
  /** Runs `work` with an optional fault. Returns all operations in order; `work` gets the list as it grows. */
  during<Result>(
    fault: Fault | undefined,
    work: (sofar: readonly Operation[]) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly operations: readonly Operation[] }>;
  /** Returns the open descriptors of this process in the folder, as `number path`. */
  openDescriptors(): readonly string[];
  /** Restores the functions of `node:fs`. */
  restore(): void;
}

const refused: Readonly<Record<string, readonly Sort[]>> = {
  ENOSPC: ["make", "write", "sync"],
  EDQUOT: ["make", "write", "sync"],
  EROFS: ["make", "write", "rename", "remove"],
  EMFILE: ["open", "make"],
  EACCES: ["look", "open", "make", "rename", "remove"],
  EIO: ["look", "open", "make", "write", "rename", "remove", "close", "sync"],
  EXDEV: ["rename"],
};

/** The sorts of functions that take a path: those of `node:fs` with `Sync` and those of `node:fs/promises`. */
const byPath: Readonly<Record<string, Sort>> = {
  lstat: "look",
  stat: "look",
  access: "look",
  readlink: "look",
  realpath: "look",
  readdir: "look",
  readFile: "open",
  open: "open",
  mkdir: "make",
  writeFile: "write",
  appendFile: "write",
  rename: "rename",
  link: "rename",
  rm: "remove",
  rmdir: "remove",
  unlink: "remove",
};
const byDescriptor: Readonly<Record<string, Sort>> = {
  fstat: "look",
  read: "look",
  fchmod: "write",
  fchown: "write",
  fsync: "sync",
  close: "close",
};
const byHandle: Readonly<Record<string, Sort>> = {
  stat: "look",
  read: "look",
  write: "write",
  chmod: "write",
  truncate: "write",
  sync: "sync",
  datasync: "sync",
  close: "close",
};

type Call = (...args: unknown[]) => unknown;
type Target = Record<string, Call>;

interface Running {
  readonly fault: Fault | undefined;
  readonly operations: Operation[];
}

/** Replaces the functions of `node:fs`. Counts operations in `folder` only. Only one may be installed at a time. */
export async function installDiskFaults(folder: string): Promise<DiskFaults> {
  const undo: (() => void)[] = [];
  const descriptors = new Map<number, boolean>();
  const handles = new WeakMap<object, boolean>();
  let running: Running | undefined;

  const inFolder = (path: unknown): boolean => {
    if (typeof path !== "string") return false;
    const held = /^\/proc\/(?:self|\d+)\/fd\/(\d+)(?:\/|$)/.exec(path);
    if (held !== null) return descriptors.has(Number(held[1]));
    return resolve(path).startsWith(`${folder}/`) || path === folder;
  };
  /** Counts an operation and returns the fault that it must fail with; undefined when it succeeds. */
  const meets = (name: string, sort: Sort): Fault | undefined => {
    if (running === undefined) return undefined;
    running.operations.push({ name, sort });
    const { fault, operations } = running;
    if (fault === undefined || operations.length < fault.at) return undefined;
    if (operations.length === fault.at || fault.lasting === "all") return fault;
    return fault.lasting === "fitting" && refused[fault.code]?.includes(sort) === true ? fault : undefined;
  };
  const put = (target: Target, name: string, make: (original: Call) => Call) => {
    const original = target[name];
    if (original === undefined) return;
    target[name] = make(original);
    undo.push(() => {
      target[name] = original;
    });
  };
  const sortOf = (name: string, sort: Sort, args: readonly unknown[]): Sort =>
    name.startsWith("open") && isMaking(args[1]) ? "make" : sort;

  const plain = fs as unknown as Target;
  for (const [bare, sort] of Object.entries(byPath)) {
    const name = `${bare}Sync`;
    put(plain, name, (original) => (...args) => {
      // The kernel knows the path of a descriptor without the disk, so this never fails.
      const fromMemory = bare === "readlink" && isOwnDescriptor(args[0]);
      if (!inFolder(args[0]) || fromMemory) return original(...args);
      const fault = meets(name, sortOf(name, sort, args));
      if (fault !== undefined) {
        if (fault.kind === "half" && sort === "write") original(args[0], halfOf(args[1]), args[2]);
        throw failure(fault, name, args[0]);
      }
      const result = original(...args);
      if (name === "openSync") descriptors.set(result as number, isMaking(args[1]));
      return result;
    });
  }
  for (const [bare, sort] of Object.entries(byDescriptor)) {
    const name = `${bare}Sync`;
    put(plain, name, (original) => (...args) => {
      const number = args[0] as number;
      const written = descriptors.get(number);
      if (written === undefined) return original(...args);
      // The system closes a descriptor even when it reports an error, and reports one only for written files.
      const fault = sort === "close" && !written ? undefined : meets(name, sort);
      if (sort === "close") {
        descriptors.delete(number);
        original(...args);
      } else if (fault === undefined) return original(...args);
      if (fault !== undefined) throw failure(fault, name, number);
      return undefined;
    });
  }
  put(plain, "writeSync", (original) => (...args) => {
    const fault = descriptors.has(args[0] as number) ? meets("writeSync", "write") : undefined;
    if (fault === undefined) return original(...args);
    const written = fault.kind === "refuse" ? 0 : original(args[0], halfOf(args[1]));
    if (fault.kind !== "short") throw failure(fault, "writeSync", args[0]);
    return written;
  });
  for (const [name, sort] of [
    ["write", "write"],
    ["read", "look"],
    ["fsync", "sync"],
    ["fdatasync", "sync"],
  ] as const) {
    put(plain, name, (original) => (...args) => {
      const fault = descriptors.has(args[0] as number) ? meets(name, sort) : undefined;
      if (fault === undefined) return original(...args);
      const answer = args.at(-1) as Call;
      const fail = () => process.nextTick(answer, failure(fault, name, args[0]));
      if (fault.kind === "refuse" || name !== "write") return fail();
      const [number, bytes, from, length, position] = args as [number, Buffer, number, number, null];
      const part = Math.ceil(length / 2);
      return original(number, bytes, from, part, position, (...said: unknown[]) =>
        fault.kind === "short" ? answer(...said) : fail(),
      );
    });
  }

  const promises = fs.promises as unknown as Target;
  for (const [name, sort] of Object.entries(byPath)) {
    put(promises, name, (original) => async (...args) => {
      if (!inFolder(args[0])) return original(...args);
      const fault = meets(name, sortOf(name, sort, args));
      if (fault !== undefined) {
        if (fault.kind === "half" && sort === "write") await original(args[0], halfOf(args[1]), args[2]);
        throw failure(fault, name, args[0]);
      }
      const result = await original(...args);
      if (name === "open") handles.set(result as object, isMaking(args[1]));
      return result;
    });
  }
  const probe = await fs.promises.open(folder);
  const prototype = Object.getPrototypeOf(probe) as Target;
  await probe.close();
  for (const [name, sort] of Object.entries(byHandle)) {
    put(
      prototype,
      name,
      (original) =>
        async function (this: object, ...args: unknown[]) {
          const fault = handles.has(this) ? meets(`handle.${name}`, sort) : undefined;
          if (fault === undefined) return original.apply(this, args);
          if (name === "close") await original.apply(this, args);
          if (name === "write" && fault.kind !== "refuse") {
            const wrote = (await original.call(this, halfOf(args[0]))) as { bytesWritten: number };
            if (fault.kind === "short") return wrote;
          }
          throw failure(fault, name, folder);
        },
    );
  }
  syncBuiltinESMExports();

  return {
    async during(fault, work) {
      const operations: Operation[] = [];
      running = { fault, operations };
      try {
        return { result: await work(operations), operations };
      } finally {
        running = undefined;
      }
    },
    openDescriptors: () =>
      fs.readdirSync("/proc/self/fd").flatMap((number) => {
        try {
          const path = fs.readlinkSync(`/proc/self/fd/${number}`);
          return path.startsWith(folder) ? [`${number} ${path}`] : [];
        } catch {
          return [];
        }
      }),
    restore() {
      for (const one of undo.reverse()) one();
      syncBuiltinESMExports();
    },
  };
}

/**
 * Returns the faults to try at each operation of a run: every error code possible there (with `FAULTS=all` every code),
 * once and lasting, and interrupted writes.
 */
export function faultsOf(operations: readonly Operation[]): readonly Fault[] {
  const every = process.env["FAULTS"] === "all";
  return operations.flatMap(({ sort }, index) => {
    const at = index + 1;
    const codes = Object.keys(refused).filter((code) => every || refused[code]?.includes(sort) === true);
    const whole = codes.flatMap((code) =>
      ([false, "fitting", "all"] as const)
        // When all later operations fail, the error code makes no difference, so one is enough.
        .filter((lasting) => every || lasting !== "all" || code === "EIO")
        .map((lasting): Fault => ({ at, code, lasting, kind: "refuse" })),
    );
    const cut: readonly Fault[] =
      sort === "write"
        ? [
            { at, code: "ENOSPC", lasting: false, kind: "half" },
            { at, code: "ENOSPC", lasting: "fitting", kind: "half" },
            { at, code: "ENOSPC", lasting: false, kind: "short" },
          ]
        : [];
    return [...whole, ...cut];
  });
}

/** Returns `count` kills spread over the operations of a run, each before an operation or in the middle of a write. */
export function killsIn(operations: readonly Operation[], count: number): readonly Fault[] {
  return Array.from({ length: count }, (_, index) => {
    const at = 1 + Math.floor(((index + 0.5) * operations.length) / count);
    return { at, code: "SIGKILL", lasting: false, kind: index % 2 === 0 ? "refuse" : "half" };
  });
}

/** Describes a fault for a test title: `3 openSync ENOSPC all`. */
export function describeFault(fault: Fault, operations: readonly Operation[]): string {
  const { at, code, lasting, kind } = fault;
  return [at, operations[at - 1]?.name, kind === "refuse" ? code : `${kind} ${code}`, lasting || "once"].join(
    " ",
  );
}

function isOwnDescriptor(path: unknown): boolean {
  return typeof path === "string" && /^\/proc\/(?:self|\d+)\/fd\/\d+$/.test(path);
}

function isMaking(flags: unknown): boolean {
  return typeof flags === "number"
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : typeof flags === "string" && flags !== "r";
}

function halfOf(data: unknown): Buffer {
  const bytes = Buffer.from(data as string | Buffer);
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

function failure({ code }: Fault, operation: string, place: unknown): NodeJS.ErrnoException {
  if (code === "SIGKILL") process.kill(process.pid, code);
  const call = operation.replace(/Sync$/, "");
  return Object.assign(new Error(`${code}: injected, ${call} '${String(place)}'`), { code, syscall: call });
}

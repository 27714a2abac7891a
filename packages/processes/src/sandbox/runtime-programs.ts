/**
 * Gives the sandbox runtime the absolute paths of the programs that it starts. By itself it looks them up with `which`, for a second
 * at most and through the `PATH` of this process: on a busy machine it finds no shell, and a `PATH` that leads into the workspace
 * gives it programs of the workspace.
 */
import childProcess, { type SpawnSyncReturns } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { isAbsolute } from "node:path";
import { isProgram } from "../children/find-program.ts";
import { outsidePrograms } from "../children/outside-programs.ts";

export interface RuntimePrograms {
  readonly bwrapPath: string;
  readonly socatPath: string;
}

/**
 * Returns the programs of the runtime on Linux, none elsewhere. Throws if one is not found outside of `folders`, those to which
 * commands may write. `path` is a `PATH`.
 */
export function runtimePrograms(
  folders: readonly string[],
  path: string = process.env["PATH"] ?? "",
  platform: NodeJS.Platform = process.platform,
): RuntimePrograms | undefined {
  if (platform !== "linux") return undefined;
  return { bwrapPath: located("bwrap", path, folders), socatPath: located("socat", path, folders) };
}

/** Returns the absolute path of a program that the sandbox needs. Throws if it is not found outside of the folders. */
export function located(program: string, path: string, folders: readonly string[]): string {
  const found = isAbsolute(program) ? program : outsidePrograms(path, folders).find(program);
  if (found === undefined) throw new Error(`${program} is not installed outside of the workspace`);
  return found;
}

let isAnswering = false;

/** The call with which the runtime looks for its own files, through a shell and the `PATH`, if they are not beside it. */
const rootCommand = "npm root -g";

/**
 * Answers the runtime's look-ups in this process from now on. `which` finds the absolute path of a program and no name, because
 * the runtime is given no names. `npm root -g` fails, and the runtime goes on without its answer. No other call changes.
 */
export function answerLookUps(): void {
  if (isAnswering) return;
  isAnswering = true;
  const { spawnSync, exec, execSync } = childProcess;
  const answering = (...args: readonly unknown[]): unknown => {
    const name =
      args[0] === "which" && Array.isArray(args[1]) && args[1].length === 1 ? args[1][0] : undefined;
    return typeof name === "string" ? answer(name) : Reflect.apply(spawnSync, undefined, args);
  };
  const refusing = (run: typeof exec | typeof execSync) => {
    const refuse = (...args: readonly unknown[]): unknown => {
      if (args[0] === rootCommand) throw new Error(`${rootCommand} is not run`);
      return Reflect.apply(run, undefined, args);
    };
    // `promisify` finds its form of `exec` among these.
    return Object.defineProperties(refuse, Object.getOwnPropertyDescriptors(run));
  };
  Object.assign(childProcess, { spawnSync: answering, exec: refusing(exec), execSync: refusing(execSync) });
  // The runtime imports the functions by their names.
  syncBuiltinESMExports();
}

/** Returns what `which` would print for an absolute path. */
function answer(name: string): SpawnSyncReturns<string> {
  const found = isAbsolute(name) && isProgram(name);
  const stdout = found ? `${name}\n` : "";
  return { pid: 0, output: [null, stdout, null], stdout, stderr: "", status: found ? 0 : 1, signal: null };
}

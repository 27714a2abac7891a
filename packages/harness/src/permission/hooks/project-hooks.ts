/**
 * Reads the hooks of a project from `.localharness/hooks.json`. Hooks are programs, so trust in the folder is not
 * enough. The person must allow the file together with the files that its programs run, and must allow them again after
 * any change. A permission has the same scope as a remembered command.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { programScope } from "@localharness/commands/examine/program-scope";
import type { JsonValue } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import { isNoFolder, projectFolder } from "@localharness/store/project-folder";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type HookSetting, hooksExpected, isOwnProgram, readHookSettings } from "./hook-settings.ts";

export const projectHooksPath = `${projectFolder}/hooks.json`;
const maxBytes = 4 * 1024 * 1024;

export type ProjectHooks =
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly problem: string }
  | {
      readonly kind: "hooks";
      /** The hooks. A program of the project is given by its absolute path. */
      readonly hooks: readonly HookSetting[];
      /** The files of the project that the commands name, with the paths as written in the commands. */
      readonly compared: readonly string[];
      /**
       * SHA-256 over the file, `compared` and what the programs run. A permission for this hash holds in the sandbox.
       */
      readonly hash: string;
      /**
       * The hash for a permission to run outside of the sandbox; absent if what the programs run cannot be compared, or if
       * there is no state folder.
       */
      readonly outsideHash?: string;
    };

/** Reads the hooks of a project. Never rejects. */
export async function readProjectHooks(
  workspace: Workspace,
  stateFolder: string | undefined,
): Promise<ProjectHooks> {
  const file = await contentOf(workspace, projectHooksPath);
  if (file === "missing") return { kind: "none" };
  if (typeof file === "string" && isNoFolder(workspace)) return { kind: "none" };
  if (typeof file === "string") return { kind: "broken", problem: file };
  const hooks = parse(file.toString("utf8"));
  if (hooks === undefined) return { kind: "broken", problem: `expected ${hooksExpected}` };
  const hash = createHash("sha256").update(file);
  const compared: string[] = [];
  for (const path of new Set(hooks.flatMap(pathsOf))) {
    const named = await contentOf(workspace, path);
    if (typeof named === "string" && named !== "missing" && path.includes("/")) {
      return { kind: "broken", problem: named };
    }
    if (typeof named === "string") continue;
    compared.push(path);
    hash.update(`\0${path}\0${createHash("sha256").update(named).digest("hex")}`);
  }
  const outside = hash.copy().update("\0outside");
  let complete = stateFolder !== undefined;
  for (const { command } of hooks) {
    hash.update(`\0${(await programScope(workspace, command)).scope}`);
    const whole = await programScope(workspace, command, { stateFolder });
    outside.update(`\0${whole.scope}`);
    complete &&= whole.complete;
  }
  return {
    kind: "hooks",
    hooks: hooks.map((hook) => withPath(workspace.root, hook)),
    compared,
    hash: hash.digest("hex"),
    ...(complete ? { outsideHash: outside.digest("hex") } : {}),
  };
}

/** Returns all parts of a hook's command that may be paths. A program without a slash is searched in `PATH`, so it is none. */
function pathsOf({ command }: HookSetting): readonly string[] {
  const words = command[0]?.includes("/") === true ? command : command.slice(1);
  return words.flatMap(pathsIn);
}

/**
 * Returns all parts of a command's word that may be paths, as in `sh -c "scripts/check.sh --strict"` or
 * `--import=./check.js`.
 */
function pathsIn(word: string): readonly string[] {
  return [word, ...word.split(/[\s'"`=;&|<>(){},:$]+/)].filter(
    (part) => part !== "" && !part.startsWith("-"),
  );
}

function parse(text: string): readonly HookSetting[] | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    const list = typeof value === "object" && value !== null && "hooks" in value ? value["hooks"] : undefined;
    return list === undefined ? undefined : readHookSettings(list);
  } catch {
    return undefined;
  }
}

function withPath(root: string, hook: HookSetting): HookSetting {
  const [program = "", ...args] = hook.command;
  return isOwnProgram(hook.command) ? hook : { ...hook, command: [join(root, program), ...args] };
}

function isFolder(workspace: Workspace, path: string): boolean {
  const place = workspace.locate(path);
  return place.ok && place.value.stats?.isDirectory() === true;
}

/**
 * Returns the content of a workspace file, or the reason why it cannot be read. Returns `missing` if there is no such file,
 * for a folder, and for an absolute path or a word without a slash that cannot be opened, because it may not be a path.
 */
async function contentOf(workspace: Workspace, path: string): Promise<Buffer | string> {
  const opened = workspace.openFile(path);
  if (!opened.ok) {
    const elsewhere = path.startsWith("/") || opened.errorType === "not_found" || !path.includes("/");
    return elsewhere || isFolder(workspace, path) ? "missing" : opened.message;
  }
  using file = opened.value;
  try {
    const bytes = await file.read(maxBytes + 1);
    return bytes.length > maxBytes ? `${path} has more than ${maxBytes} bytes` : bytes;
  } catch (error) {
    return reasonOf(error);
  }
}

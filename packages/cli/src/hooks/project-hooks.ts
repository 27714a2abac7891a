/**
 * Hooks that a project brings along, in `.localharness/hooks.json`. They are programs, so that trust in the folder is not
 * enough: the person allows what the file and the scripts that it names say now, and is asked again when that changes.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { JsonValue } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import { type HookSetting, hooksExpected, isOwnProgram, readHookSettings } from "./hook-settings.ts";

export const projectHooksPath = ".localharness/hooks.json";
const longest = 4 * 1024 * 1024;

export type ProjectHooks =
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly problem: string }
  | {
      readonly kind: "hooks";
      /** Programs of the project by their absolute path. */
      readonly hooks: readonly HookSetting[];
      /** SHA-256 over the file and what it names of the project. */
      readonly hash: string;
    };

/** Never rejects. */
export async function readProjectHooks(workspace: Workspace): Promise<ProjectHooks> {
  const file = await contentOf(workspace, projectHooksPath);
  if (file === "missing") return { kind: "none" };
  if (typeof file === "string") return { kind: "broken", problem: file };
  const hooks = parse(file.toString("utf8"));
  if (hooks === undefined) return { kind: "broken", problem: `expected ${hooksExpected}` };
  const hash = createHash("sha256").update(file);
  for (const word of new Set(hooks.flatMap(({ command }) => command))) {
    const named = word.startsWith("-") ? "missing" : await contentOf(workspace, word);
    if (typeof named === "string" && named !== "missing" && word.includes("/"))
      return { kind: "broken", problem: named };
    if (typeof named !== "string")
      hash.update(`\0${word}\0${createHash("sha256").update(named).digest("hex")}`);
  }
  return {
    kind: "hooks",
    hooks: hooks.map((hook) => withPath(workspace.root, hook)),
    hash: hash.digest("hex"),
  };
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

/** The content of a file of the workspace; `missing`, or why it cannot be read. */
async function contentOf(workspace: Workspace, path: string): Promise<Buffer | string> {
  const opened = workspace.openFile(path);
  if (!opened.ok) {
    const elsewhere = path.startsWith("/") || opened.errorType === "not_found" || !path.includes("/");
    return elsewhere ? "missing" : opened.message;
  }
  using file = opened.value;
  try {
    const bytes = await file.read(longest + 1);
    return bytes.length > longest ? `${path} has more than ${longest} bytes` : bytes;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

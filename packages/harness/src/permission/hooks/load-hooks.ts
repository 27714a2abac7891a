/** Loads the hooks that run: the person's own hooks, and the hooks of a trusted project that the person has allowed. */
import { usageError } from "@localharness/engine";
import { visibleLine } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { AllowedHooks } from "./allowed-hooks.ts";
import type { HookSetting } from "./hook-settings.ts";
import { type ProjectHooks, projectHooksPath, readProjectHooks } from "./project-hooks.ts";

export interface LoadedHook extends HookSetting {
  /** True if the hook runs in the sandbox. */
  readonly confined?: boolean;
  /** True for a hook of the project, which may be a file of the project. */
  readonly ofProject?: true;
}

export interface LoadedHooks {
  readonly hooks: readonly LoadedHook[];
  /** Messages for the person. */
  readonly warnings: readonly string[];
}

export interface HookPlace {
  /** The state folder of this program. */
  readonly stateFolder: string | undefined;
  /** True if there is a sandbox. */
  readonly sandboxed: boolean;
}

/** Loads the hooks. Pass `workspace` only if it is trusted. Never rejects. */
export async function loadHooks(
  own: readonly HookSetting[],
  workspace: Workspace | undefined,
  allowed: AllowedHooks,
  { stateFolder, sandboxed }: HookPlace,
): Promise<LoadedHooks> {
  if (workspace === undefined) return { hooks: own, warnings: [] };
  const project = await readProjectHooks(workspace, stateFolder);
  switch (project.kind) {
    case "none":
      return { hooks: own, warnings: [] };
    case "broken":
      return {
        hooks: own,
        warnings: [`the project's hooks in ${projectHooksPath} are not used: ${project.problem}`],
      };
    case "hooks": {
      const permission = await permissionOf(project, workspace, allowed);
      const theirs = project.hooks.map((hook) => ({ ...hook, ofProject: true as const }));
      if (permission === "outside") return { hooks: [...own, ...theirs], warnings: [] };
      const isAllowed = permission === "sandbox";
      if (isAllowed && sandboxed) {
        const confined = theirs.map((hook) => ({ ...hook, confined: true }));
        return { hooks: [...own, ...confined], warnings: [] };
      }
      const names = project.hooks.map(({ command }) => visibleLine(command.join(" "))).join("; ");
      const warning = isAllowed
        ? "the project's hooks do not run, because there is no sandbox here. To let them run without one: localharness hooks allow --sandbox off"
        : `the project has hooks, programs that would run without a question: ${names.slice(0, 300)}. They are new or changed, and do not run. A change of a file that they run counts too. To see them: localharness hooks list. To allow them: localharness hooks allow`;
      return { hooks: own, warnings: [warning] };
    }
  }
}

/** Returns where the project's current hooks may run: in the sandbox, or also outside of it; undefined if nowhere. */
export async function permissionOf(
  project: ProjectHooks,
  { root }: Workspace,
  allowed: AllowedHooks,
): Promise<"sandbox" | "outside" | undefined> {
  if (project.kind !== "hooks") return undefined;
  if (await allowed.isAllowed(root, project.outsideHash ?? "")) return "outside";
  return (await allowed.isAllowed(root, project.hash)) ? "sandbox" : undefined;
}

/** Returns the hash to save as permission. Throws (`usage`) for `outside` if what the hooks run cannot be compared. */
export function hashToAllow({ hash, outsideHash }: AllowableHooks, outside: boolean): string {
  if (!outside) return hash;
  if (outsideHash !== undefined) return outsideHash;
  throw usageError("what these hooks run cannot be compared, so they can be allowed only in the sandbox");
}

type AllowableHooks = Extract<ProjectHooks, { readonly kind: "hooks" }>;

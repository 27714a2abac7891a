/** Loads the hooks that run: the person's own, and those of a trusted project that the person has allowed. */
import { visibleLine } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import type { AllowedHooks } from "./allowed-hooks.ts";
import type { HookSetting } from "./hook-settings.ts";
import { projectHooksPath, readProjectHooks } from "./project-hooks.ts";

export interface LoadedHooks {
  readonly hooks: readonly HookSetting[];
  /** Messages for the person. */
  readonly warnings: readonly string[];
}

/** Loads the hooks. Pass `workspace` only when it is trusted. Never rejects. */
export async function loadHooks(
  own: readonly HookSetting[],
  workspace: Workspace | undefined,
  allowed: AllowedHooks,
): Promise<LoadedHooks> {
  if (workspace === undefined) return { hooks: own, warnings: [] };
  const project = await readProjectHooks(workspace);
  switch (project.kind) {
    case "none":
      return { hooks: own, warnings: [] };
    case "broken":
      return {
        hooks: own,
        warnings: [`the project's hooks in ${projectHooksPath} are not used: ${project.problem}`],
      };
    case "hooks": {
      if (await allowed.isAllowed(workspace.root, project.hash)) {
        return { hooks: [...own, ...project.hooks], warnings: [] };
      }
      const names = project.hooks.map(({ command }) => visibleLine(command.join(" "))).join("; ");
      const warning = `the project has hooks, programs that would run outside of the sandbox: ${names.slice(0, 300)}. They are new or changed, and do not run. To see them: localharness hooks list. To allow them: localharness hooks allow`;
      return { hooks: own, warnings: [warning] };
    }
  }
}

/** The hooks that run now: the person's own, and those of a trusted project that the person has allowed as they are. */

import { visibleLine } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import type { AllowedHooks } from "./allowed-hooks.ts";
import type { HookSetting } from "./hook-settings.ts";
import { projectHooksPath, readProjectHooks } from "./project-hooks.ts";

export interface LoadedHooks {
  readonly hooks: readonly HookSetting[];
  /** For the person. */
  readonly warnings: readonly string[];
}

/** `workspace` only when its own files are trusted. Never rejects. */
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
      if (await allowed.isAllowed(workspace.root, project.hash))
        return { hooks: [...own, ...project.hooks], warnings: [] };
      const names = project.hooks.map(({ command }) => visibleLine(command.join(" "))).join("; ");
      const warning = `the project brings hooks, programs that would run outside of the sandbox: ${names.slice(0, 300)}. They are new or changed, and do not run. To look at them and allow them as they are now: localharness hooks list, localharness hooks allow`;
      return { hooks: own, warnings: [warning] };
    }
  }
}

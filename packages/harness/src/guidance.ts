/** What files of the person and of the project say to a session: instructions, commands, hooks. Read when a session begins. */
import type { Hooks, SystemPrompt } from "@localharness/engine";
import type { HelperEnd, HelperRequest, Workspace, WriteJournal } from "@localharness/tools";
import { type CustomCommands, openCustomCommands } from "./custom-commands/load-commands.ts";
import { openAllowedHooks } from "./hooks/allowed-hooks.ts";
import type { HookSetting } from "./hooks/hook-settings.ts";
import { loadHooks } from "./hooks/load-hooks.ts";
import { createPersonsHooks } from "./hooks/persons-hooks.ts";
import { promptParts } from "./instructions/instructed-prompt.ts";
import { createNestedInstructions } from "./instructions/nested-instructions.ts";
import { readInstructions } from "./instructions/read-instructions.ts";
import { sharedPrompt, workspaceLine } from "./system-prompt.ts";
import type { Trust } from "./trust/settle-trust.ts";

export interface Guidance {
  /** The system prompt of a session that begins now. Never rejects. */
  prompt(trust: Trust): Promise<SystemPrompt>;
  /** What stands for messages: read when it is asked for. */
  commands(trust: Trust): CustomCommands;
  /** For one session; undefined when nothing looks in. */
  hooks(trust: Trust): Hooks | undefined;
}

export interface GuidanceParts {
  readonly workspace: Workspace;
  /** The folder of the person's own configuration. */
  readonly folder: string | undefined;
  readonly journal: WriteJournal;
  /** The person's own hooks. */
  readonly hooks: readonly HookSetting[];
  /** Runs a hook. */
  run(request: HelperRequest): Promise<HelperEnd>;
}

export function openGuidance(parts: GuidanceParts): Guidance {
  const { workspace, folder } = parts;
  const trusted = (trust: Trust) => (trust === "full" ? workspace : undefined);
  const allowed = openAllowedHooks(folder, parts.journal);
  return {
    async prompt(trust) {
      const { parts: read, warnings } = await readInstructions({ folder, workspace: trusted(trust) });
      const text = promptParts(sharedPrompt, read, workspaceLine(workspace.root)).map((part) => part.text);
      return { text: text.join(""), warnings };
    },
    commands: (trust) => openCustomCommands(folder, trusted(trust)),
    hooks(trust) {
      const its = trusted(trust);
      if (its === undefined && parts.hooks.length === 0) return undefined;
      const persons = createPersonsHooks({
        workspace: workspace.root,
        load: () => loadHooks(parts.hooks, its, allowed),
        run: parts.run,
      });
      return its === undefined ? persons : withNested(persons, its);
    },
  };
}

/** What the hooks say, and the names of instructions in folders that the model looks into. */
function withNested(hooks: Hooks, workspace: Workspace): Hooks {
  const nested = createNestedInstructions(workspace);
  return {
    ...hooks,
    async afterTool(call, result, signal) {
      const answer = await hooks.afterTool(call, result, signal);
      const found = result.success ? nested.notes(call) : [];
      return found.length === 0 ? answer : { ...answer, notes: [...(answer.notes ?? []), ...found] };
    },
  };
}

/** What files of the person and of the project say to a session: instructions, commands, hooks. Read when a session begins. */
import type { HookAnswer, Hooks, SystemPrompt } from "@localharness/engine";
import type { Workspace } from "@localharness/tools";
import { type CustomCommands, openCustomCommands } from "./custom-commands/load-commands.ts";
import { promptParts } from "./instructions/instructed-prompt.ts";
import { createNestedInstructions } from "./instructions/nested-instructions.ts";
import { readInstructions } from "./instructions/read-instructions.ts";
import { systemPrompt } from "./system-prompt.ts";
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
}

export function openGuidance({ workspace, folder }: GuidanceParts): Guidance {
  return {
    async prompt(trust) {
      const base = systemPrompt(workspace.root);
      const trusted = trust === "full" ? workspace : undefined;
      const { parts, warnings } = await readInstructions({ folder, workspace: trusted });
      return {
        text: promptParts(base, parts)
          .map(({ text }) => text)
          .join(""),
        warnings,
      };
    },
    commands: (trust) => openCustomCommands(folder, trust === "full" ? workspace : undefined),
    hooks: (trust) => (trust === "full" ? nestedHooks(workspace) : undefined),
  };
}

function nestedHooks(workspace: Workspace): Hooks {
  const nested = createNestedInstructions(workspace);
  const nothing = (): Promise<HookAnswer> => Promise.resolve({});
  return {
    beforeTool: nothing,
    afterTool: async (call, result) => (result.success ? { notes: nested.notes(call) } : {}),
    turnEnd: nothing,
  };
}

/** Gives a session the instructions, custom commands and hooks from the files of the person and of the project. */
import type { Hooks, SystemPrompt } from "@localharness/engine";
import type { HelperEnd, HelperRequest, Workspace, WriteJournal } from "@localharness/tools";
import { type CustomCommands, openCustomCommands } from "./custom-commands/load-commands.ts";
import { openAllowedHooks } from "./hooks/allowed-hooks.ts";
import type { HookSetting } from "./hooks/hook-settings.ts";
import { type HookPlace, loadHooks } from "./hooks/load-hooks.ts";
import { createPersonsHooks } from "./hooks/persons-hooks.ts";
import { promptParts } from "./instructions/instructed-prompt.ts";
import { createNestedInstructions } from "./instructions/nested-instructions.ts";
import { type ProjectFile, readInstructions } from "./instructions/read-instructions.ts";
import { sharedPrompt, shortPrompt, workspaceLine } from "./system-prompt.ts";
import type { Trust } from "./trust/settle-trust.ts";

export interface Guidance {
  /**
   * Returns the system prompt for a new session. `news` returns those warnings that the person should see, by default all.
   * `elsewhere` is the instructions file of a workspace on another machine. Never rejects.
   */
  prompt(trust: Trust, news?: Filter, elsewhere?: ProjectFile): Promise<SystemPrompt>;
  /** Returns the custom commands. Their files are read at each use. */
  commands(trust: Trust): CustomCommands;
  /** Returns the hooks of one session; undefined if the person has none and `trust` is not `full`. */
  hooks(trust: Trust): Hooks | undefined;
}

type Filter = (warnings: readonly string[]) => Promise<readonly string[]>;

export interface GuidanceParts {
  readonly workspace: Workspace;
  /** The configuration folder. */
  readonly folder: string | undefined;
  readonly journal: WriteJournal;
  /**
   * Returns the length in characters up to which the usual system prompt is used, and not the short one; and the maximum
   * size of all instructions together, in bytes.
   */
  room(): { readonly prompt: number; readonly instructions: number };
  /** The person's own hooks. */
  readonly hooks: readonly HookSetting[];
  /** The state folder, and whether there is a sandbox for the project's hooks. */
  readonly hookPlace: HookPlace;
  /** Resolves to the map of the repository; undefined if there is none. Never rejects. */
  map(): Promise<string | undefined>;
  /** Runs a hook program. */
  run(request: HelperRequest): Promise<HelperEnd>;
}

export function openGuidance(parts: GuidanceParts): Guidance {
  const { workspace, folder } = parts;
  const trusted = (trust: Trust) => (trust === "full" ? workspace : undefined);
  const allowed = openAllowedHooks(folder, parts.journal);
  return {
    async prompt(trust, news = async (all) => all, elsewhere = undefined) {
      const room = parts.room();
      const from = { folder, workspace: trusted(trust), elsewhere, maxBytes: room.instructions };
      const { parts: read, warnings } = await readInstructions(from);
      const map = trust === "full" ? await parts.map() : undefined;
      const base = sharedPrompt.length <= room.prompt ? sharedPrompt : shortPrompt;
      const text = promptParts(base, read, { map, workspace: workspaceLine(workspace.root) }).map(
        (part) => part.text,
      );
      return { text: text.join(""), warnings: await news(warnings) };
    },
    commands: (trust) => openCustomCommands(folder, trusted(trust)),
    hooks(trust) {
      const its = trusted(trust);
      if (its === undefined && parts.hooks.length === 0) return undefined;
      const persons = createPersonsHooks({
        workspace: workspace.root,
        load: () => loadHooks(parts.hooks, its, allowed, parts.hookPlace),
        run: parts.run,
      });
      return its === undefined ? persons : withNested(persons, its);
    },
  };
}

/** Returns the hooks, which after a successful call also name the instructions files of the folders that it touched. */
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

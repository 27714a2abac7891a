/** Gives a session the instructions, custom commands and hooks from the files of the person and of the project. */
import type { Hooks, SystemPrompt } from "@localharness/engine";
import type { OutsidePrograms } from "@localharness/processes/children/programs";
import type { HelperEnd, HelperRequest } from "@localharness/processes/helpers/run-helper";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { openAllowedHooks } from "../permission/hooks/allowed-hooks.ts";
import type { HookSetting } from "../permission/hooks/hook-settings.ts";
import { hookStart } from "../permission/hooks/hook-start.ts";
import { type HookPlace, loadHooks } from "../permission/hooks/load-hooks.ts";
import { createPersonsHooks } from "../permission/hooks/persons-hooks.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";
import { type CustomCommands, openCustomCommands } from "../prompt/custom-commands/load-commands.ts";
import { promptParts } from "../prompt/instructions/instructed-prompt.ts";
import { createNestedInstructions } from "../prompt/instructions/nested-instructions.ts";
import { type ProjectFile, readInstructions } from "../prompt/instructions/read-instructions.ts";
import { loadSkills } from "../prompt/skills/load-skills.ts";
import { withSkills } from "../prompt/skills/skill-commands.ts";
import { sharedPrompt, shortPrompt, workspaceLine } from "../prompt/system-prompt.ts";

export interface Guidance {
  /**
   * Returns the system prompt for a new session. `news` returns those warnings that the person should see, by default all.
   * `elsewhere` is the instructions file of a workspace on another machine. Never rejects.
   */
  prompt(trust: Trust, news?: Filter, elsewhere?: ProjectFile): Promise<SystemPrompt>;
  /** Returns the custom commands and the skills. Their files are read at each use. */
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
   * Returns the length in characters up to which the usual system prompt is used, and not the short one; the maximum
   * size of all instructions together, in bytes; and the number of characters of a skill that a message takes.
   */
  budgets(): { readonly prompt: number; readonly instructions: number; readonly skill: number };
  /** Resolves to the root of the repository above the workspace if the person trusts it. Never rejects. */
  trustedRoot(): Promise<string | undefined>;
  /** The person's own hooks. */
  readonly hooks: readonly HookSetting[];
  /** The state folder, and whether there is a sandbox for the project's hooks. */
  readonly hookPlace: HookPlace;
  /** Resolves to the map of the repository; undefined if there is none. Never rejects. */
  map(): Promise<string | undefined>;
  /** Masks secrets in what the model gets. */
  mask(text: string): string;
  /** Returns the programs that may run outside of the sandbox. */
  outside(): OutsidePrograms;
  /** Runs a hook program. */
  run(request: HelperRequest): Promise<HelperEnd>;
}

export function openGuidance(parts: GuidanceParts): Guidance {
  const { workspace, folder } = parts;
  const trusted = (trust: Trust) => (trust === "full" ? workspace : undefined);
  const allowed = openAllowedHooks(folder, parts.journal);
  return {
    async prompt(trust, news = async (all) => all, elsewhere = undefined) {
      const budgets = parts.budgets();
      const root = trust === "full" ? await parts.trustedRoot() : undefined;
      const from = { folder, workspace: trusted(trust), root, elsewhere, maxBytes: budgets.instructions };
      const { parts: read, warnings } = await readInstructions(from);
      const map = trust === "full" ? await parts.map() : undefined;
      const base = sharedPrompt.length <= budgets.prompt ? sharedPrompt : shortPrompt;
      const text = promptParts(base, read, { map, workspace: workspaceLine(workspace.root) }).map(
        (part) => part.text,
      );
      return { text: parts.mask(text.join("")), warnings: await news(warnings) };
    },
    commands(trust) {
      const own = openCustomCommands(folder, trusted(trust));
      return withSkills(
        own,
        () => loadSkills(folder, trusted(trust)),
        () => parts.budgets().skill,
      );
    },
    hooks(trust) {
      const its = trusted(trust);
      if (its === undefined && parts.hooks.length === 0) return undefined;
      const persons = createPersonsHooks({
        workspace: workspace.root,
        load: () => loadHooks(parts.hooks, its, allowed, parts.hookPlace),
        start: (hook) => hookStart(hook, parts.outside()),
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

/** The wiring of the program on one screen: what a command needs, made from the settings that hold. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  createRegistry,
  createSession,
  type PolicyStore,
  type Session,
  type ToolDefinition,
  type ToolRegistry,
} from "@localharness/engine";
import type { ModelSelection, SelectedModel } from "@localharness/models";
import type { PermissionMode } from "@localharness/protocol";
import {
  createTools,
  openToolResources,
  type ToolResources,
  toolSet,
  type WriteJournal,
} from "@localharness/tools";
import { type FlagValues, textFlag } from "./arguments/parse.ts";
import { reasonOf, usageError } from "./complaints.ts";
import { readKeys } from "./config/keys.ts";
import { stateFolder } from "./config/location.ts";
import type { Settings } from "./config/settings.ts";
import { openPolicyFile } from "./policy-file/policy-file.ts";
import { createRunTally } from "./stats/run-tally.ts";
import { systemPrompt } from "./system-prompt.ts";

/** What calls need: the workspace, the tools on it, and the answers remembered for it. */
export interface Workbench {
  /** Real path. */
  readonly workspace: string;
  readonly registry: ToolRegistry;
  /** Also those that models are not told of. */
  readonly allTools: ToolRegistry;
  readonly policyStore: PolicyStore;
  /** Of the temporary files beside the program's own. */
  readonly journal: WriteJournal;
  readonly mode: PermissionMode;
  /** Ends what tools have started, within 2 s. */
  endChildren(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorkbench(
  settings: Settings,
  workspace: string | undefined,
  usualTools: string,
): Promise<Workbench> {
  const resources = await openResources(resolve(workspace ?? "."));
  const tools = createTools(resources);
  return {
    workspace: resources.workspace.root,
    registry: createRegistry(toolSet(tools, settings.values.tools ?? usualTools)),
    allTools: createRegistry(tools),
    policyStore: openPolicyFile(settings.folder, resources.journal),
    journal: resources.journal,
    mode: settings.values.mode ?? "default",
    endChildren: () => resources.endChildren(),
    close: () => resources.close(),
  };
}

/** A model on a workbench, and sessions of the two. */
export interface Composition extends Workbench {
  readonly selected: SelectedModel;
  /** A session with an empty transcript; `interactive` false when nobody can be asked. */
  newSession(interactive: boolean): Session;
}

export interface ModelFiles {
  readonly record?: string;
  readonly replay?: string;
}

/** The files that the options name. */
export function modelFiles(flags: FlagValues): ModelFiles {
  const record = textFlag(flags, "record");
  const replay = textFlag(flags, "replay");
  return { ...(record === undefined ? {} : { record }), ...(replay === undefined ? {} : { replay }) };
}

export async function compose(
  settings: Settings,
  workspace: string | undefined,
  files: ModelFiles = {},
): Promise<Composition> {
  const bench = await openWorkbench(settings, workspace, "standard");
  const selected = await selectModel(settings, files);
  const tally = createRunTally(selected.model, stateFolder(), bench.journal);
  const { values } = settings;
  const calls = values["limits.calls_per_iteration"];
  const iterations = values["limits.iterations_per_turn"];
  const limits = {
    ...(calls === undefined ? {} : { callsPerIteration: calls }),
    ...(iterations === undefined ? {} : { iterationsPerTurn: iterations }),
  };
  return {
    ...bench,
    selected,
    newSession(interactive) {
      const session = createSession({
        model: selected.model,
        registry: bench.registry,
        systemPrompt: systemPrompt(bench.workspace),
        workspace: bench.workspace,
        mode: bench.mode,
        policyStore: bench.policyStore,
        limits,
        interactive,
      });
      tally.follow(session);
      return session;
    },
    async close() {
      await tally.save();
      await bench.close();
    },
  };
}

async function selectModel({ values, folder }: Settings, files: ModelFiles): Promise<SelectedModel> {
  const selection: { -readonly [Key in keyof ModelSelection]: ModelSelection[Key] } = {
    environment: process.env,
    keys: await readKeys(folder),
    ...files,
  };
  if (values.provider !== undefined) selection.provider = values.provider;
  if (values.model !== undefined) selection.model = values.model;
  if (values.host !== undefined) selection.baseUrl = values.host;
  if (values.num_ctx !== undefined) selection.numCtx = values.num_ctx;
  if (values.num_predict !== undefined) selection.numPredict = values.num_predict;
  if (values.keep_alive !== undefined) selection.keepAlive = values.keep_alive;
  if (values.thinking !== undefined) selection.think = values.thinking;
  if (values.text_tool_calls === "native" || values.text_tool_calls === "text") {
    selection.toolCalls = values.text_tool_calls;
  }
  const { createModel } = await import("@localharness/models");
  return createModel(selection);
}

/** The built-in tools as models are told of them. */
export async function builtInDefinitions(): Promise<readonly ToolDefinition[]> {
  const resources = await openResources(resolve("."));
  const definitions = createRegistry(createTools(resources)).definitions();
  await resources.close();
  return definitions;
}

async function openResources(workspace: string): Promise<ToolResources> {
  const folder = stateFolder() ?? mkdtempSync(join(tmpdir(), "localharness-"));
  try {
    return await openToolResources({ workspace, stateFolder: folder });
  } catch (error) {
    const why = reasonOf(error);
    const message = `the workspace ${workspace} is no folder that can be opened: ${why}`;
    throw usageError(message, error);
  }
}

/** The wiring of the program on one screen: what a command needs, made from the settings that hold. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  createRegistry,
  type PolicyStore,
  type ToolDefinition,
  type ToolRegistry,
} from "@localharness/engine";
import type { PermissionMode } from "@localharness/protocol";
import { createTools, openToolResources, type ToolResources, toolSet } from "@localharness/tools";
import { reasonOf, usageError } from "./complaints.ts";
import { stateFolder } from "./config/location.ts";
import type { Settings } from "./config/settings.ts";
import { openPolicyFile } from "./policy-file/policy-file.ts";

/** What calls need: the workspace, the tools on it, and the answers remembered for it. */
export interface Workbench {
  /** Real path. */
  readonly workspace: string;
  readonly registry: ToolRegistry;
  readonly policyStore: PolicyStore;
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
  const tools = toolSet(createTools(resources), settings.values.tools ?? usualTools);
  return {
    workspace: resources.workspace.root,
    registry: createRegistry(tools),
    policyStore: openPolicyFile(settings.folder, resources.journal),
    mode: settings.values.mode ?? "default",
    endChildren: () => resources.close(),
    close: () => resources.close(),
  };
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

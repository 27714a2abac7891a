/** Opens the resources of the tools according to the settings: workspace, sandbox and folders. */
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usageError } from "@localharness/engine";
import { defined, reasonOf } from "@localharness/protocol";
import { openToolResources, type ToolResources, type WebParts } from "@localharness/tools";
import { bytesPerMegabyte } from "./config/fields.ts";
import { cacheFolder, stateFolder } from "./config/location.ts";
import type { Settings } from "./config/settings.ts";
import { curatorOf, summarizerOf } from "./curator.ts";

/**
 * Returns the state folder, and creates it if it does not exist. Returns a new temporary folder if there is no home folder
 * or if the state folder cannot be created. An existing folder that cannot be written is returned too, so that writing to it
 * reports the error.
 */
export function ownFolder(): string {
  const folder = stateFolder();
  if (folder !== undefined && existsOrCanBeMade(folder)) return folder;
  return mkdtempSync(join(tmpdir(), "localharness-"));
}

function existsOrCanBeMade(folder: string): boolean {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

export interface ResourceParts {
  readonly stateFolder: string;
  readonly settings: Settings;
  readonly secrets: readonly string[];
  readonly web: WebParts;
  /** Returns the maximum length of one tool result, in UTF-16 units. */
  readonly resultLimit?: () => number;
}

/** Opens the resources of the tools. Throws a `HarnessError` if the workspace or a required sandbox is not available. */
export async function openResources(workspace: string, parts: ResourceParts): Promise<ToolResources> {
  const { stateFolder: state, settings, secrets, web, resultLimit } = parts;
  const { values, folder } = settings;
  const resources = await openToolResources({
    workspace,
    web,
    ...defined({ resultLimit }),
    ...defined({ curator: curatorOf(values, state), summarizer: summarizerOf(values) }),
    stateFolder: state,
    privateFolders: [folder, cacheFolder()].filter((one) => one !== undefined),
    secrets,
    sandbox: {
      mode: values.sandbox ?? "auto",
      domains: values.sandbox_domains ?? [],
      writable: values.sandbox_writable ?? [],
      lowersRisk: values.sandbox_risk === "medium",
    },
    changeLimits:
      values.undo_megabytes === undefined ? {} : { totalBytes: values.undo_megabytes * bytesPerMegabyte },
  }).catch((error: unknown) => {
    const message = `the workspace ${workspace} cannot be opened: ${reasonOf(error)}`;
    throw usageError(message, error);
  });
  const { state: sandbox } = resources.sandbox;
  if (values.sandbox === "require" && sandbox.kind === "absent") {
    await resources.close();
    throw usageError(`a sandbox is required but not available: ${sandbox.problem}`);
  }
  return resources;
}

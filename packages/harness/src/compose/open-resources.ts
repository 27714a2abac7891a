/** Opens the resources of the tools according to the settings: workspace, sandbox and folders. */
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { usageError } from "@localharness/engine";
import { defined, reasonOf } from "@localharness/protocol";
import { createDiagnostics, openToolResources, type ToolResources, type WebParts } from "@localharness/tools";
import type { ConfigValues } from "../config/fields.ts";
import { bytesPerMegabyte } from "../config/fields.ts";
import { cacheFolder, stateFolder } from "../config/location.ts";
import type { Settings } from "../config/settings.ts";
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

/** Returns the folders, in addition to the workspace, to which commands in the sandbox may write, as absolute paths. */
export function writableFolders({ sandbox_writable: writable = [] }: ConfigValues): readonly string[] {
  return writable.map(inHome);
}

/** Returns the path with the home folder in place of a leading `~`. */
function inHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
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
      writable: writableFolders(values),
      readable: (values.sandbox_readable ?? []).map(inHome),
      isPublic: async (address) =>
        (await import("@localharness/models/address-kind")).addressKind(address) === "public",
      lowersRisk: values.sandbox_risk === "medium",
    },
    changeLimits:
      values.undo_megabytes === undefined ? {} : { totalBytes: values.undo_megabytes * bytesPerMegabyte },
    snapshotLimits: defined({
      totalBytes: inBytes(values.snapshot_megabytes),
      fileBytes: inBytes(values.snapshot_file_megabytes),
    }),
  }).catch((error: unknown) => {
    const message = `the workspace ${workspace} cannot be opened: ${reasonOf(error)}`;
    throw usageError(message, error);
  });
  const { state: sandbox } = resources.sandbox;
  if (values.sandbox === "require" && sandbox.kind === "absent") {
    await resources.close();
    throw usageError(`a sandbox is required but not available: ${sandbox.problem}`);
  }
  return values.diagnostics === "off" ? resources : withDiagnostics(resources);
}

/** Returns the resources with the look for new errors after edits, which needs the sandbox. */
function withDiagnostics(resources: ToolResources): ToolResources {
  if (resources.sandbox.state.kind !== "on") return resources;
  const diagnostics = createDiagnostics(resources);
  return {
    ...resources,
    diagnostics,
    async close() {
      diagnostics.end();
      await resources.close();
    },
  };
}

function inBytes(megabytes: number | undefined): number | undefined {
  return megabytes === undefined ? undefined : megabytes * bytesPerMegabyte;
}

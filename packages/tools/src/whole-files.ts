/**
 * Gives whole files and the list of all files to a caller that is not a model, such as an MCP client that reads resources. The
 * policy judges a file as a call of `read_file` and the list as a call of `ls`.
 */
import type { Tool, ToolContext, ToolOutput } from "@localharness/engine";
import { type ListingParts, listFiles } from "@localharness/processes/search/list-files";
import { countText, type JsonObject } from "@localharness/protocol";
import { holdToExamined } from "@localharness/workspace/changes/hold-to-examined";
import { maxFileBytes } from "@localharness/workspace/edits/load-text";
import { refused, systemFailure } from "@localharness/workspace/outcome";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { textArgument } from "./parts/arguments.ts";
import { ls } from "./tools/ls.ts";
import { readFile } from "./tools/read-file.ts";

/**
 * Returns a tool like `read_file`, for one call, that gives `take` the bytes of the file. Fails without calling `take` if
 * the file cannot be read or has more than 10 MB.
 */
export function wholeFileTool(
  resources: Parameters<typeof readFile>[0],
  take: (bytes: Uint8Array) => void,
): Tool {
  return {
    ...readFile(resources),
    execute: (args, context) => readWhole(holdToExamined(resources, context), args, take),
  };
}

async function readWhole(
  { workspace }: { readonly workspace: Workspace },
  args: JsonObject,
  take: (bytes: Uint8Array) => void,
): Promise<ToolOutput> {
  const path = textArgument(args, "path") ?? "";
  const opened = workspace.openFile(path);
  if (!opened.ok) return opened;
  using file = opened.value;
  const megabytes = maxFileBytes / 1024 / 1024;
  const tooLong = refused("io_error", `"${path}" has more than ${megabytes} MB, which is the limit.`);
  if (file.stats.size > maxFileBytes) return tooLong;
  try {
    const bytes = await file.read(maxFileBytes + 1);
    if (bytes.length > maxFileBytes) return tooLong;
    take(bytes);
    return { ok: true, data: countText(bytes.length, "byte") };
  } catch (error) {
    return systemFailure(error, path);
  }
}

const mostPaths = 50_000;

/**
 * Returns a tool like `ls`, for one call, that gives `take` the sorted paths of at most 50,000 files, none ignored or
 * denied. The list is shorter if the listing fails.
 */
export function wholeListTool(
  resources: ListingParts & Parameters<typeof ls>[0],
  take: (paths: readonly string[]) => void,
): Tool {
  return { ...ls(resources), execute: (_args, context) => listWhole(resources, context, take) };
}

async function listWhole(
  resources: ListingParts,
  { signal, denies }: ToolContext,
  take: (paths: readonly string[]) => void,
): Promise<ToolOutput> {
  const { paths } = await listFiles(resources, mostPaths, signal);
  const open = paths.filter((path) => denies?.(path, "read") !== true).sort();
  take(open);
  return { ok: true, data: countText(open.length, "file") };
}

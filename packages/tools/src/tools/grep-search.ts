/** `grep_search`: finds lines that contain a text, in the workspace or in part of it. */
import { basename } from "node:path";
import { defineTool, type Tool, type ToolContext, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { folderAliases } from "../aliases.ts";
import { flagArgument, folderArgument, numberArgument, textArgument } from "../arguments.ts";
import { cutRows } from "../cut-result.ts";
import { found, type Outcome, refused } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import { type Match, maxShownChars, readMatch } from "../search/match.ts";
import { literalPattern, looksLikeExpression } from "../search/pattern.ts";
import { runRipgrep, skippedFolders } from "../search/ripgrep.ts";
import { isThere, verifyMatches } from "../search/verify-matches.ts";
import { printableName } from "../show.ts";
import { examinePaths } from "../workspace/examine-paths.ts";
import { holdToExamined } from "../workspace/hold-to-examined.ts";
import { secretName } from "../workspace/secret-name.ts";

const defaultResults = 200;
const maxResults = 1000;

export function grepSearch(resources: ToolResources): Tool {
  return defineTool({
    name: "grep_search",
    description: "Search text in files, ignoring case. * is a wildcard.",
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string" },
        path: { type: "string", format: "path" },
        file_filter: { type: "string", description: "glob: *.ts" },
        max_results: { type: "integer" },
        include_hidden: { type: "boolean" },
        ignore_gitignore: { type: "boolean" },
      },
      required: ["pattern"],
    },
    aliases: [
      "grep",
      "search",
      "search_files",
      "ripgrep",
      "rg",
      "find_in_files",
      "search_codebase",
      "search_text",
      "code_search",
    ],
    parameterAliases: {
      pattern: ["query", "regex", "text", "search", "search_term", "term", "queries"],
      path: folderAliases,
      file_filter: ["glob", "include", "include_pattern", "file_pattern", "files", "filter"],
      max_results: ["limit", "head_limit", "total_max_matches"],
      include_hidden: ["hidden"],
      ignore_gitignore: ["no_ignore", "include_ignored"],
    },
    risk: "low",
    readOnly: true,
    timeoutMs: 40_000,
    examine: (args) => examinePaths(resources.workspace, [{ path: folderArgument(args), access: "read" }]),
    execute: (args, context) => search(resources, args, context),
  });
}

interface Matches {
  readonly matches: readonly Match[];
  readonly complaints: string;
  readonly stopped: boolean;
}

async function search(resources: ToolResources, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const pattern = textArgument(args, "pattern") ?? "";
  const asked = numberArgument(args, "max_results") ?? defaultResults;
  if (pattern.trim() === "" || /^\*+$/.test(pattern.trim()) || pattern.includes("\n")) {
    return refused(
      "validation_failed",
      "pattern must be one line with text to search for; to see which files there are use ls or get_file_tree.",
    );
  }
  if (asked < 1) {
    return refused(
      "validation_failed",
      `max_results is ${asked}, a number from 1 to ${maxResults} was expected.`,
    );
  }
  const most = Math.min(Math.floor(asked), maxResults);
  const literal = await runSearch(resources, args, literalPattern(pattern), most, context);
  if (!literal.ok || literal.value.matches.length > 0 || !looksLikeExpression(pattern)) {
    return literal.ok ? show(resources, literal.value, args, pattern, most, []) : literal;
  }
  const expression = await runSearch(resources, args, [`--regexp=${pattern}`], most, context);
  if (!expression.ok) {
    return refused(
      expression.errorType,
      `No line contains the text "${pattern}", and it is not a regular expression either. ${expression.message}`,
    );
  }
  const notes =
    expression.value.matches.length > 0
      ? ["no line contains the pattern as text; it was read as a regular expression"]
      : [];
  return show(resources, expression.value, args, pattern, most, notes);
}

async function runSearch(
  resources: ToolResources,
  args: JsonObject,
  expression: readonly string[],
  most: number,
  context: ToolContext,
): Promise<Outcome<Matches>> {
  const place = searchPlace(holdToExamined(resources, context), folderArgument(args));
  if (!place.ok) return place;
  using where = place.value;
  const matches: Match[] = [];
  const ended = await runRipgrep(resources.programs, {
    args: [...flagsOf(args), ...expression, "--", where.target],
    cwd: where.cwd,
    signal: context.signal,
    isThere: (path) => isThere(resources.workspace, where.prefix + path),
    onLine: (line) => {
      const match = readMatch(line, where.prefix);
      if (match !== undefined && !leftOut(match.path, where.file, context)) {
        matches.push(match);
      }
      return matches.length <= most;
    },
  });
  if (!ended.ok) return ended;
  const { complaints, stopped } = ended.value;
  return found({ matches: await verifyMatches(resources.workspace, matches), complaints, stopped });
}

/**
 * Returns true for a file whose matches are left out, because a rule denies it or because it usually holds secrets. A file
 * with secrets is not left out if it is `named`, the file that the call asks for, because the person was asked about it.
 */
function leftOut(path: string, named: string | undefined, context: ToolContext): boolean {
  return context.denies?.(path, "read") === true || (path !== named && secretName(path) !== undefined);
}

/**
 * Returns the folder in which ripgrep runs, and what it searches there. The folder's path leads to the folder that is already
 * open, so that no other folder can take its place.
 */
function searchPlace(resources: ToolResources, path: string) {
  const folder = resources.workspace.openDirectory(path);
  if (folder.ok) {
    const directory = folder.value;
    const cwd = childPath(directory.base);
    const prefix = directory.path === "." ? "" : `${directory.path}/`;
    return found({
      cwd,
      target: "./",
      prefix,
      file: undefined,
      [Symbol.dispose]: () => directory[Symbol.dispose](),
    });
  }
  const file = resources.workspace.openTarget(path, { createFolders: false });
  if (!file.ok || file.value.stats === undefined) {
    return !file.ok && file.errorType === "permission_denied" ? file : folder;
  }
  const entry = file.value;
  const prefix = entry.path.slice(0, entry.path.length - basename(entry.path).length);
  const cwd = childPath(entry.directory.base);
  const target = `./${entry.name}`;
  return found({ cwd, target, prefix, file: entry.path, [Symbol.dispose]: () => entry[Symbol.dispose]() });
}

/** Returns a path to one of our descriptors that is valid in another process too. */
function childPath(base: string): string {
  return base.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

function flagsOf(args: JsonObject): readonly string[] {
  const filter = textArgument(args, "file_filter");
  return [
    "--ignore-case",
    "--line-number",
    "--with-filename",
    "--no-heading",
    "--null",
    `--max-columns=${maxShownChars}`,
    "--max-columns-preview",
    "--max-filesize=100M",
    ...(flagArgument(args, "include_hidden") ? ["--hidden"] : []),
    ...(flagArgument(args, "ignore_gitignore") ? ["--no-ignore"] : []),
    ...(filter === undefined || filter === "" ? [] : [`--glob=${filter}`]),
    ...skippedFolders,
  ];
}

/** The note about files with secrets. It is always the same, so that it does not reveal whether such a file has a match. */
const secretsNote =
  "files that usually hold passwords or keys, such as .env, are only searched when path names them; files that a rule denies are not";

function show(
  resources: ToolResources,
  result: Matches,
  args: JsonObject,
  pattern: string,
  most: number,
  notes: readonly string[],
): ToolOutput {
  const shown = result.matches.slice(0, most);
  const files = new Set(shown.map((match) => match.path)).size;
  const flags = flagsLine(args);
  const allNotes =
    result.complaints === "" ? notes : [...notes, `not all could be searched: ${result.complaints.trim()}`];
  if (shown.length === 0) {
    const hint = "Try a shorter pattern, another spelling, include_hidden or ignore_gitignore.";
    return {
      ok: true,
      data: `No matches for "${pattern}"${flags}. ${hint}`,
      notes: [...allNotes, secretsNote],
    };
  }
  const more =
    result.matches.length > most
      ? ` (the first ${most}, there are more: narrow the search or raise max_results)`
      : "";
  const head = `${shown.length} ${shown.length === 1 ? "match" : "matches"} in ${files} ${files === 1 ? "file" : "files"} for "${pattern}"${flags}${more}`;
  const cut = cutRows(resources, grouped(shown), "narrow the search with path or file_filter");
  return { ok: true, data: `${head}\n\n${cut}`, notes: allNotes };
}

/** Returns lines `path:line: text`, with an empty line between files. */
function grouped(matches: readonly Match[]): string {
  const lines: string[] = [];
  let last: string | undefined;
  for (const match of matches) {
    if (last !== undefined && last !== match.path) {
      lines.push("");
    }
    last = match.path;
    lines.push(`${printableName(match.path)}:${match.line}: ${match.text}`);
  }
  return lines.join("\n");
}

function flagsLine(args: JsonObject): string {
  const filter = textArgument(args, "file_filter");
  const flags = [
    ...(filter === undefined || filter === "" ? [] : [`in ${filter}`]),
    ...(flagArgument(args, "include_hidden") ? ["[+hidden]"] : []),
    ...(flagArgument(args, "ignore_gitignore") ? ["[+gitignored]"] : []),
  ];
  return flags.length === 0 ? "" : ` ${flags.join(" ")}`;
}

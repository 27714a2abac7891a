/** `grep_search`: finds lines that contain a text, in the workspace or in part of it. */

import { defineTool, type Tool, type ToolContext, type ToolOutput } from "@localharness/engine";
import { ignoredFiles } from "@localharness/processes/search/ignored-files";
import { mayMissLegacy } from "@localharness/processes/search/legacy-files";
import type { ListingParts } from "@localharness/processes/search/list-files";
import type { SearchMatch } from "@localharness/processes/search/match";
import { literalPattern, looksLikeExpression } from "@localharness/processes/search/pattern";
import { skippedFolders } from "@localharness/processes/search/ripgrep";
import { type Matches, searchText } from "@localharness/processes/search/search-text";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import { printableName } from "@localharness/workspace/show";
import { folderAliases } from "../parts/aliases.ts";
import { flagArgument, folderArgument, numberArgument, textArgument } from "../parts/arguments.ts";
import type { Keeping } from "../parts/cut-result.ts";
import { cutRows } from "../parts/cut-result.ts";

interface Parts extends PathExaminer, ListingParts, Keeping {}

const defaultResults = 200;
const maxResults = 1000;

export function grepSearch(resources: Parts): Tool {
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
    examine: (args) => resources.examinePaths([{ path: folderArgument(args), access: "read" }]),
    execute: (args, context) => search(resources, args, context),
  });
}

async function search(resources: Parts, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
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
  const flags = flagArgument(args, "ignore_gitignore") ? ["--no-ignore"] : [];
  const result = await find(resources, args, { pattern, most, flags }, context);
  if (!result.ok || result.value.matches.length > 0 || flags.length > 0) {
    return result.ok ? show(resources, result.value, args, pattern, most) : result;
  }
  return await searchIgnored(resources, args, { pattern, most, flags }, result.value, context);
}

interface SearchTerms {
  readonly pattern: string;
  readonly most: number;
  /** Further arguments of ripgrep. */
  readonly flags: readonly string[];
}

interface Found extends Matches {
  readonly notes: readonly string[];
}

/** Searches for the pattern as text; if no line has it, as a regular expression. */
async function find(
  resources: Parts,
  args: JsonObject,
  { pattern, most, flags }: SearchTerms,
  context: ToolContext,
): Promise<Outcome<Found>> {
  const query = { path: folderArgument(args), selection: [...selectionOf(args), ...flags], most };
  const literal = await searchText(
    resources,
    { ...query, expression: literalPattern(pattern), mayMiss: mayMissLegacy(pattern, false) },
    context,
  );
  if (!literal.ok || literal.value.matches.length > 0 || !looksLikeExpression(pattern)) {
    return literal.ok ? found({ ...literal.value, notes: [] }) : literal;
  }
  const expression = await searchText(
    resources,
    { ...query, expression: [`--regexp=${pattern}`], mayMiss: mayMissLegacy(pattern, true) },
    context,
  );
  if (!expression.ok) {
    return refused(
      expression.errorType,
      `No line contains the text "${pattern}", and it is not a regular expression either. ${expression.message}`,
    );
  }
  const isExpression = expression.value.matches.length > 0;
  const note = "no line contains the pattern as text; it was read as a regular expression";
  return found({ ...expression.value, notes: isExpression ? [note] : [] });
}

/**
 * Looks again where nothing was found. A folder of which every file is ignored is searched, because the call names it; else a note
 * says what was passed over.
 */
async function searchIgnored(
  resources: Parts,
  args: JsonObject,
  asked: SearchTerms,
  nothing: Found,
  context: ToolContext,
): Promise<ToolOutput> {
  const path = folderArgument(args);
  const isNamed = textArgument(args, "path") !== undefined && path !== ".";
  const ignored = isNamed
    ? await ignoredFiles(resources, path, selectionOf(args), context)
    : { paths: [], all: false };
  if (ignored.paths.length === 0) return show(resources, nothing, args, asked.pattern, asked.most);
  if (!ignored.all) {
    const notes = [...nothing.notes, skippedNote(ignored.paths)];
    return show(resources, { ...nothing, notes }, args, asked.pattern, asked.most);
  }
  const again = await find(resources, args, { ...asked, flags: ["--no-ignore"] }, context);
  if (!again.ok) return again;
  const notes = [
    ...again.value.notes,
    "ignore files such as .gitignore exclude all of it; it was searched because path names it",
  ];
  return show(resources, { ...again.value, notes }, args, asked.pattern, asked.most);
}

const maxNamed = 3;

function skippedNote(paths: readonly string[]): string {
  const names = paths.toSorted().slice(0, maxNamed).map(printableName).join(", ");
  const count = countText(paths.length, "file");
  const list = paths.length > maxNamed ? `${names}, ...` : names;
  return `${count} that ignore files such as .gitignore exclude ${paths.length === 1 ? "was" : "were"} not searched (${list}): ignore_gitignore searches them`;
}

/** Returns ripgrep's arguments that select files. */
function selectionOf(args: JsonObject): readonly string[] {
  const filter = textArgument(args, "file_filter");
  return [
    "--max-filesize=100M",
    ...(flagArgument(args, "include_hidden") ? ["--hidden"] : []),
    ...(filter === undefined || filter === "" ? [] : [`--glob=${filter}`]),
    ...skippedFolders,
  ];
}

/** The note about files with secrets. It is always the same, so that it does not reveal whether such a file has a match. */
const secretsNote =
  "files that usually hold passwords or keys, such as .env, are only searched when path names them; files that a rule denies are not";

function show(
  resources: Parts,
  { notes, ...result }: Found,
  args: JsonObject,
  pattern: string,
  most: number,
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
function grouped(matches: readonly SearchMatch[]): string {
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

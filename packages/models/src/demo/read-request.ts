/**
 * Turns a person's message into a script: which tools to call with which arguments, in the order in which the message
 * mentions them.
 */
import type { JsonObject } from "@localharness/protocol";
import { type Script, type Seen, type Stage, succeeded, type ToolKind, type Want } from "./script.ts";
import { readTour } from "./tour.ts";

interface Rule {
  readonly pattern: RegExp;
  readonly stages: (match: RegExpMatchArray, text: string) => readonly Stage[];
}

/** Matches a file or folder name: a word with a dot or a slash in it, quoted or not. */
const pathLike = /["'`]?((?:[\w.@-]+\/)*[\w@-]*\.[A-Za-z][\w]*|(?:[\w.@-]+\/)+[\w.@-]*)["'`]?/;

export function readRequest(text: string): Script {
  const tour = readTour(text);
  if (tour !== undefined) return tour;
  const found = rules
    .flatMap((rule) => {
      const match = text.match(rule.pattern);
      return match ? [{ at: match.index ?? 0, stages: rule.stages(match, text) }] : [];
    })
    .sort((a, b) => a.at - b.at);
  return { stages: joinReads(found.flatMap((one) => one.stages)) };
}

const rules: readonly Rule[] = [
  {
    pattern: /\blook around\b|\bwhat (?:does )?this project (?:does|do)\b/i,
    stages: () => [
      fixed("I look around.", "list", { path: "." }),
      fixed("I read the readme.", "read", { path: "README.md" }),
    ],
  },
  {
    pattern: /\b(list|ls|show|see|what)\b[^.;]*\b(files?|folders?|director(y|ies)|here)\b|^ls\b/i,
    stages: listStage,
  },
  { pattern: /\b(file )?tree\b/i, stages: () => [fixed("I look at the tree of files.", "tree", {})] },
  {
    pattern: /\b(read|open|cat|summari[sz]e|explain|show)\b[^.;]*?(?=[\w"'`./-]*\.[A-Za-z])/i,
    stages: readStage,
  },
  {
    pattern: /\bread the readme\b/i,
    stages: () => [fixed("I read the readme.", "read", { path: "README.md" })],
  },
  {
    pattern: /\b(search|find|grep|look)\b(?: (?:for|all|every|the|any))*\s+(?:["'`]([^"'`]+)["'`]|([\w-]+))/i,
    stages: searchStage,
  },
  {
    pattern:
      /\b(replace|change)\s+["'`]([^"'`]+)["'`]\s+(?:with|by|to|into)\s+["'`]([^"'`]*)["'`]\s+in\s+(\S+)/i,
    stages: editStage,
  },
  { pattern: /\b(save|write|store|put|create)\b/i, stages: saveStage },
  {
    pattern: /\b(?:create|make)\s+(?:a |the )?(?:folder|directory)\s+["'`]?([\w./-]+)/i,
    stages: ([, path]) => [fixed("I make the folder.", "mkdir", { path: path ?? "" })],
  },
  {
    pattern: /\b(?:delete|remove)\s+(?:the )?(?:file |folder )?["'`]?([\w./-]+)/i,
    stages: ([, path]) => [fixed("I remove it.", "remove", { path: path ?? "" })],
  },
  { pattern: /\b(?:run|execute)\s+(?:`([^`]+)`|"([^"]+)"|([^\n,;]+))/i, stages: runStage },
  { pattern: /\b(time|date|day is it)\b/i, stages: () => [fixed("I look at the clock.", "time", {})] },
  {
    pattern: /\b(where am i|pwd|working directory|which folder)\b/i,
    stages: () => [fixed("I look where we are.", "folder", {})],
  },
  {
    pattern: /\badd (?:a |the |this )?task:?\s+["'`]?([^"'`\n;]+)/i,
    stages: ([, content]) => [fixed("I note the task.", "add-task", { content: firstClause(content ?? "") })],
  },
  {
    pattern: /\b(list|show|what)\b[^.;]*\btasks\b/i,
    stages: () => [fixed("I look at the tasks.", "list-tasks", {})],
  },
  {
    pattern: /\bgit status\b|\bwhat (?:has )?changed\b/i,
    stages: () => [fixed("I ask git what changed.", "git-status", {})],
  },
  { pattern: /\bgit diff\b|\bthe diff\b/i, stages: () => [fixed("I ask git for the diff.", "git-diff", {})] },
  { pattern: /\bgit log\b|\bhistory\b/i, stages: () => [fixed("I ask git for the history.", "git-log", {})] },
  { pattern: /\bbranch\b/i, stages: () => [fixed("I ask git for the branch.", "git-branch", {})] },
  {
    pattern: /\bcommit\b(?:.*?["'`]([^"'`]+)["'`])?/i,
    stages: ([, message]) => [fixed("I commit it.", "git-commit", { message: message ?? "Save the work" })],
  },
];

/** A stage with one call that does not depend on earlier results. */
interface FixedStage extends Stage {
  readonly want: Want;
}

function fixed(say: string, kind: ToolKind, args: JsonObject): FixedStage {
  const want = { kind, arguments: args };
  return { say, want, wants: () => [want] };
}

const reads = new Set<ToolKind>([
  "list",
  "tree",
  "read",
  "search",
  "time",
  "folder",
  "list-tasks",
  "git-status",
  "git-diff",
  "git-log",
  "git-branch",
]);

/** Joins neighbouring stages that only read, so that their calls run together. */
function joinReads(stages: readonly Stage[]): Stage[] {
  const joined: Stage[] = [];
  for (const stage of stages) {
    const last = joined.at(-1);
    if (last !== undefined && isRead(last) && isRead(stage)) {
      joined[joined.length - 1] = {
        say: `${last.say} ${stage.say}`,
        wants: (seen) => distinct([...last.wants(seen), ...stage.wants(seen)]),
      };
    } else {
      joined.push(stage);
    }
  }
  return joined;
}

function distinct(wants: readonly Want[]): Want[] {
  const keys = wants.map((want) => JSON.stringify(want));
  return wants.filter((_, index) => keys.indexOf(keys[index] ?? "") === index);
}

const noResults: Seen = { results: [], offers: () => true };

function isRead(stage: Stage): boolean {
  const wants = stage.wants(noResults);
  return wants.length > 0 && wants.every((want) => reads.has(want.kind));
}

/** Words before "folder" that mean the workspace itself. */
const here = new Set(["this", "the", "my", "our", "current", "same", "working", "root"]);

function listStage(match: RegExpMatchArray, text: string): Stage[] {
  const after = text
    .slice(match.index ?? 0)
    .match(/\b(?:in|of|under)\s+["'`]?([\w.-]+\/[\w./-]*|[\w.-]+(?= folder| directory))/i);
  const named = after?.[1];
  const path = named === undefined || here.has(named.toLowerCase()) ? "." : named;
  return [fixed("I list the files.", "list", { path })];
}

function readStage(match: RegExpMatchArray, text: string): Stage[] {
  const path = text.slice(match.index ?? 0).match(pathLike)?.[1];
  return path === undefined ? [] : [fixed(`I read ${path}.`, "read", { path })];
}

const noSubject = new Set(["for", "the", "a", "in", "at", "out", "around", "files", "file"]);

function searchStage(match: RegExpMatchArray): Stage[] {
  const plural = (match[3] ?? "").replace(/^(TODO|FIXME)s$/i, "$1");
  const pattern = match[2] ?? plural;
  if (pattern === "" || noSubject.has(pattern.toLowerCase())) return [];
  return [fixed(`I search for ${pattern}.`, "search", { pattern })];
}

function editStage(match: RegExpMatchArray): Stage[] {
  const path = (match[4] ?? "").replace(/^["'`]|["'`.,;]+$/g, "");
  const args = { path, old_string: match[2] ?? "", new_string: match[3] ?? "" };
  // The edit tool requires that the current file was read before.
  return [fixed(`I read ${path} first.`, "read", { path }), fixed(`I change ${path}.`, "edit", args)];
}

function saveStage(match: RegExpMatchArray, text: string): Stage[] {
  const rest = text.slice(match.index ?? 0);
  const path = rest.replace(/"[^"]*\s[^"]*"/g, "").match(pathLike)?.[1];
  if (path === undefined || path.endsWith("/")) return [];
  const quoted = rest.match(/["“]([^"”]+)["”]/)?.[1];
  const content = quoted === undefined || quoted === path ? undefined : `${quoted}\n`;
  const wants = (seen: Seen): Want[] => [
    { kind: "write", arguments: { path, content: content ?? gathered(seen) } },
  ];
  return [{ say: `I write ${path}.`, wants }];
}

/**
 * Returns the text of the results so far. It becomes the content of a file that the person asked for without giving its
 * content.
 */
function gathered(seen: Seen): string {
  const kinds: readonly ToolKind[] = [
    "search",
    "run",
    "read",
    "list",
    "tree",
    "time",
    "git-log",
    "git-diff",
    "git-status",
    "list-tasks",
  ];
  const texts = kinds.flatMap((kind) => succeeded(seen, kind).map((result) => result.text));
  return texts.length === 0 ? "Nothing was found.\n" : `${texts.join("\n\n").trimEnd()}\n`;
}

function runStage(match: RegExpMatchArray): Stage[] {
  const named = match[1] ?? match[2] ?? firstClause(match[3] ?? "");
  const command = /^(?:the |all )*tests?$/i.test(named) ? "npm test" : named;
  return command === "" ? [] : [fixed(`I run ${command}.`, "run", { command })];
}

/** Returns the text without a clause that follows it: "npm test and save it" becomes "npm test". */
function firstClause(text: string): string {
  return text.replace(/,?\s+(and|then)\b.*$/i, "").trim();
}

/** What the grammar's tree says of a command: the calls it finds anywhere, and whether all of it is of the plain kind. */
import type { Node, Tree } from "web-tree-sitter";
import { unescapeDoubleQuoted } from "./plain-reader.ts";

export interface TreeReading {
  /** Words of every call, also of those inside substitutions, loops and functions; expansions as they are written. */
  readonly calls: readonly (readonly string[])[];
  /** Files that redirections write to, where their names are written out. */
  readonly writesTo: readonly string[];
  /** Files that input comes from, likewise. */
  readonly readsFrom: readonly string[];
  /** What is not of the plain kind, in words; undefined when all of it is. */
  readonly special?: string;
}

/** Kinds of nodes in which every word stands for itself. Anything that is not listed makes the command unclear. */
const plainKinds: ReadonlySet<string> = new Set([
  "program",
  "list",
  "pipeline",
  "command",
  "command_name",
  "word",
  "number",
  "raw_string",
  "string",
  "string_content",
  "concatenation",
  "comment",
  "redirected_statement",
  "file_redirect",
  "file_descriptor",
  "&&",
  "||",
  "|",
  ";",
  "\n",
  '"',
  ">",
  ">>",
  "<",
  ">&",
]);

const inWords: Readonly<Record<string, string>> = {
  ERROR: "it is not correct shell syntax",
  command_substitution: "it runs another command inside a word",
  process_substitution: "it runs another command as a file",
  simple_expansion: "it holds a $, which stands for something else when it runs",
  expansion: "it holds a $, which stands for something else when it runs",
  arithmetic_expansion: "it computes a number",
  variable_assignment: "it sets a variable",
  variable_assignments: "it sets a variable",
  declaration_command: "it sets a variable",
  heredoc_redirect: "it holds a here-document",
  herestring_redirect: "it hands text to a program's input",
  subshell: "it runs a subshell",
  compound_statement: "it groups commands",
  function_definition: "it defines a function",
  negated_command: "it negates a result",
  ansi_c_string: "it holds a string with escapes",
  translated_string: "it holds a string that is translated",
  brace_expression: "it holds a brace, which groups or repeats",
};

const mostNodes = 20_000;

export function readTree(tree: Tree): TreeReading {
  const calls: string[][] = [];
  const writesTo: string[] = [];
  const readsFrom: string[] = [];
  const walk = { nodes: 0, special: undefined as string | undefined };
  const visit = (node: Node): void => {
    walk.nodes += 1;
    if (walk.nodes > mostNodes) {
      walk.special = "it has too many parts";
      return;
    }
    walk.special ??= specialOf(node);
    if (node.type === "command" || node.type === "declaration_command" || node.type === "unset_command") {
      calls.push(wordsOf(node));
    } else if (node.type === "file_redirect") {
      writesTo.push(...redirectedBy(node, /^(?:>|>>|>\||&>|&>>|>&|<>)$/));
      readsFrom.push(...redirectedBy(node, /^(?:<|<>)$/));
    }
    for (const child of node.children) {
      if (child !== null) {
        visit(child);
      }
    }
  };
  visit(tree.rootNode);
  const reading = { calls: calls.filter((words) => words.length > 0), writesTo, readsFrom };
  return walk.special === undefined ? reading : { ...reading, special: walk.special };
}

function specialOf(node: Node): string | undefined {
  if (node.isError || node.isMissing) {
    return inWords["ERROR"];
  }
  if (plainKinds.has(node.type)) {
    return undefined;
  }
  return inWords[node.type] ?? `it holds shell syntax of the kind "${node.type.replaceAll("_", " ")}"`;
}

/** Without assignments and redirections. */
function wordsOf(command: Node): string[] {
  const words: string[] = [];
  for (const child of command.children) {
    if (child === null || /redirect$|^variable_assignment/.test(child.type)) {
      continue;
    }
    words.push(textOf(child));
  }
  return words;
}

/** A word without its quotes; what only the running shell knows stays as it is written. */
function textOf(node: Node): string {
  switch (node.type) {
    case "raw_string":
      return node.text.slice(1, -1);
    case "ansi_c_string":
      return node.text.slice(2, -1).replace(/\\x([0-9a-fA-F]{1,2})/g, (_, hex: string) => character(hex, 16));
    case "string":
      return unescapeDoubleQuoted(node.text.slice(1, -1));
    case "command_name":
    case "concatenation":
      return node.children.map((child) => (child === null ? "" : textOf(child))).join("");
    case "word":
      return node.text.replace(/\\(\n|[^\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
    default:
      return node.text;
  }
}

function character(digits: string, base: number): string {
  return String.fromCharCode(Number.parseInt(digits, base));
}

function redirectedBy(redirect: Node, operator: RegExp): readonly string[] {
  const found = redirect.children.some((child) => child !== null && operator.test(child.type));
  const target = redirect.childForFieldName("destination");
  return found && target !== null && !/^\d+$|^-$/.test(target.text) ? [textOf(target)] : [];
}

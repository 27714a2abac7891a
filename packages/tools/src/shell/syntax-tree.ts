/** What the grammar's tree says of a command: the calls it finds anywhere, and whether all of it is of the plain kind. */

import type { Node, Tree } from "web-tree-sitter";
import { unescapeDoubleQuoted } from "./plain-reader.ts";
import type { Words } from "./programs/program.ts";

export interface TreeReading {
  /** Words of every call, also of those inside substitutions, loops and functions; expansions as they are written. */
  readonly calls: readonly Words[];
  /** Those whose exit code is the command's when it is 0. */
  readonly vouched: readonly Words[];
  /** Files that redirections write to, where their names are written out. */
  readonly writesTo: readonly string[];
  /** Files that input comes from, likewise. */
  readonly readsFrom: readonly string[];
  /** Words that variables are set to, and that loops go through. */
  readonly values: readonly string[];
  /** Texts that calls get as their input: here-documents and here-strings. */
  readonly inputs: readonly string[];
  /** Variables that it sets, anywhere. */
  readonly assigned: readonly Assignment[];
  /** True where the grammar could not make out a part: more may run than is found. */
  readonly torn: boolean;
  /** What is not of the plain kind, in words; undefined when all of it is. */
  readonly special?: string;
}

export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** True for what programs get: set in front of a call, or declared. */
  readonly exported: boolean;
}

/** Kinds of nodes in which every word stands for itself. Anything that is not listed makes the command unclear. */
const plainKinds: ReadonlySet<string> = new Set([
  ...`program list pipeline command command_name word number raw_string string string_content concatenation comment
  redirected_statement file_redirect file_descriptor && || | ; " > >> < >&`.split(/\s+/),
  "\n",
]);

const inWords: Readonly<Record<string, string>> = {
  ERROR: "it is not correct shell syntax",
  command_substitution: "it runs another command inside a word",
  process_substitution: "it runs another command as a file",
  simple_expansion: "it holds a $, which stands for something else when it runs",
  expansion: "it holds a $, which stands for something else when it runs",
  variable_assignment: "it sets a variable",
  variable_assignments: "it sets a variable",
  declaration_command: "it sets a variable",
  arithmetic_expansion: "it computes a number",
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

const maxNodes = 20_000;

/** Undefined for a tree with more parts than are looked at. */
export function readTree(tree: Tree): TreeReading | undefined {
  const found = { calls: [], writesTo: [], readsFrom: [], values: [], inputs: [], assigned: [] } as Found;
  const walk = { nodes: 0, torn: tree.rootNode.hasError, special: undefined as string | undefined };
  const visit = (node: Node): void => {
    walk.nodes += 1;
    if (walk.nodes > maxNodes) return;
    walk.special ??= specialOf(node);
    // The grammar takes backticks in an expansion for letters.
    walk.torn ||= node.type === "word" && node.text.includes("`");
    note(node, found, tree.rootNode.hasError);
    for (const child of node.children) if (child !== null) visit(child);
  };
  visit(tree.rootNode);
  if (walk.nodes > maxNodes) return undefined;
  const isCall = (words: Words) => words.length > 0;
  return {
    ...{ ...found, calls: found.calls.filter(isCall), vouched: vouchedBy(tree.rootNode).filter(isCall) },
    torn: walk.torn,
    ...(walk.special === undefined ? {} : { special: walk.special }),
  };
}

type Found = Record<"writesTo" | "readsFrom" | "values" | "inputs", string[]> & {
  readonly calls: string[][];
  readonly assigned: Assignment[];
};

/** Puts what a node says, without what is below it, into `found`. */
function note(node: Node, found: Found, inError: boolean): void {
  switch (node.type) {
    case "command":
    case "declaration_command":
    case "unset_command":
      found.calls.push(wordsOf(node));
      break;
    case "test_command":
    case "ERROR":
      found.calls.push(...scraps(node));
      break;
    case "file_redirect":
      found.writesTo.push(...redirectedBy(node, /^(?:>|>>|>\||&>|&>>|>&)$/));
      found.readsFrom.push(...redirectedBy(node, inError ? /./ : /^<$/));
      break;
    case "variable_assignment":
      found.assigned.push(assignmentOf(node));
      found.values.push(...valuesOf(node.childForFieldName("value")));
      break;
    case "for_statement":
      found.values.push(...node.childrenForFieldName("value").flatMap(valuesOf));
      break;
    case "heredoc_body":
      found.inputs.push(node.text);
      break;
    case "herestring_redirect":
      found.inputs.push(...valuesOf(node.lastChild));
  }
}

function specialOf(node: Node): string | undefined {
  if (node.isError || node.isMissing) return inWords["ERROR"];
  if (plainKinds.has(node.type)) return undefined;
  return inWords[node.type] ?? `it holds shell syntax of the kind "${node.type.replaceAll("_", " ")}"`;
}

function valuesOf(node: Node | null): readonly string[] {
  if (node === null) return [];
  return node.type === "array" ? node.namedChildren.flatMap(valuesOf) : [textOf(node)];
}

function assignmentOf(node: Node): Assignment {
  const [, name = "", value = ""] = /^(\w*)[^=]*=?(.*)$/s.exec(node.text) ?? [];
  return { name, value, exported: /^(?:command|declaration_command)$/.test(node.parent?.type ?? "") };
}

/** The calls in a statement that ended well when the statement did. */
function vouchedBy(node: Node | null): readonly Words[] {
  switch (node?.type) {
    case "command":
      return [wordsOf(node)];
    case "program":
    case "subshell":
    case "compound_statement": {
      const parts = node.children.filter(
        (child) => child !== null && !/^[;\n(){}]$|^comment$/.test(child.type),
      );
      return vouchedBy(parts.at(-1) ?? null);
    }
    case "list":
      return node.children.some((child) => child?.type === "||") ? [] : node.namedChildren.flatMap(vouchedBy);
    case "pipeline":
      return vouchedBy(node.lastNamedChild);
    case "redirected_statement":
      return vouchedBy(node.childForFieldName("body"));
    default:
      return [];
  }
}

const partOfWord = /^(?:command_name|string|raw_string|ansi_c_string|concatenation)$/;

/** Words between operators, where the grammar found no call: in tests, and where it found no syntax. */
function scraps(node: Node): string[][] {
  const leaves = (one: Node): readonly string[] =>
    one.childCount === 0 || partOfWord.test(one.type)
      ? [textOf(one)]
      : one.children.flatMap((child) => (child === null ? [] : leaves(child)));
  const runs: string[][] = [[]];
  for (const text of node.children.flatMap((child) => (child === null ? [] : leaves(child))))
    if (/^[;&|(){}<>\n]+$/.test(text)) runs.push([]);
    else runs.at(-1)?.push(text);
  return runs;
}

/** Without assignments and redirections. */
function wordsOf(command: Node): string[] {
  const words: string[] = [];
  for (const child of command.children)
    if (child !== null && !/redirect$|^variable_assignment/.test(child.type)) words.push(textOf(child));
  return words;
}

/** A word without its quotes; what only the running shell knows stays as it is written. */
function textOf(node: Node): string {
  switch (node.type) {
    case "raw_string":
      return node.text.slice(1, -1);
    case "ansi_c_string":
      return unescapeAnsi(node.text.slice(2, -1));
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

const ansiEscapes: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
};

/** What text between `$'` and `'` means. */
function unescapeAnsi(text: string): string {
  const escaped = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;
  return text.replace(
    escaped,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, other?: string) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined || octal !== undefined) {
        const code =
          digits === undefined ? Number.parseInt(octal ?? "", 8) & 0xff : Number.parseInt(digits, 16);
        return code > 0x10ffff ? "" : String.fromCodePoint(code);
      }
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      return ansiEscapes[other ?? ""] ?? other ?? "";
    },
  );
}

function redirectedBy(redirect: Node, operator: RegExp): readonly string[] {
  const found = redirect.children.some((child) => child !== null && operator.test(child.type));
  const target = redirect.childForFieldName("destination");
  return found && target !== null && !/^(?:\d+|-)?$/.test(target.text) ? [textOf(target)] : [];
}

/** Finds in the syntax tree of a command its calls, redirections, assignments and inputs, and the first syntax not plain. */
import type { Node, Tree } from "web-tree-sitter";
import { unescapeDoubleQuoted } from "./plain-reader.ts";
import type { Words } from "./programs/program.ts";

/** The files that redirections name. */
export interface Redirections {
  /** The files to which redirections write. */
  readonly writesTo: readonly string[];
  /** The files of `writesTo` whose content a redirection removes. */
  readonly truncates: readonly string[];
  /** The files from which redirections read; if the text has a syntax error, the files of all redirections. */
  readonly readsFrom: readonly string[];
}

/** Returns the files of all these redirections, each once. */
export function joinRedirections(all: readonly Redirections[]): Redirections {
  const every = (of: keyof Redirections) => [...new Set(all.flatMap((one) => one[of]))];
  return { writesTo: every("writesTo"), truncates: every("truncates"), readsFrom: every("readsFrom") };
}

export interface TreeReading extends Redirections {
  /** The words of every call, even inside substitutions, loops and functions. Expansions stay as they are written. */
  readonly calls: readonly Words[];
  /** As `calls`, but a call that goes on after a redirection (`cat 2>err FILE`) has all its words, and is listed once. */
  readonly whole: readonly Words[];
  /** The calls that certainly had exit code 0 if the command has exit code 0. */
  readonly vouched: readonly Words[];
  /** The values that the command assigns to variables, and the words in the lists of `for` loops. */
  readonly values: readonly string[];
  /** The texts that calls get as their input: here-documents and here-strings. */
  readonly inputs: readonly string[];
  /** The assignments to variables. A variable that a builtin such as `read` sets is not among them. */
  readonly assigned: readonly Assignment[];
  /** True if the grammar could not read a part, or reads it unlike bash, so that more may run than was found. */
  readonly torn: boolean;
  /** The names of functions whose body starts them twice, in a pipe. */
  readonly doubling: readonly string[];
  /** The first syntax that is not plain, in words; undefined if all of it is plain. */
  readonly special?: string;
}

export interface Assignment {
  readonly name: string;
  /** The value with the operator before it. */
  readonly value: string;
  /** True if programs may get the variable: a call begins with it (`X=1 make`), or a builtin declares it (`export X=1`). */
  readonly exported: boolean;
}

/** The kinds of nodes of a plain command. Any other kind makes it unclear. The plain reader finds patterns in words. */
const plainKinds: ReadonlySet<string> = new Set([
  ...`program list pipeline command command_name word number raw_string string string_content concatenation comment
  redirected_statement file_redirect file_descriptor && || | ; " > >> < >& &> &>>`.split(/\s+/),
  "\n",
]);

/** Reasons why a command with some kinds of nodes is unclear. For any other kind, the reason has the name of the kind. */
const inWords: Readonly<Record<string, string>> = {
  ERROR: "it is not correct shell syntax",
  declaration_command: "it sets a variable",
};

const maxNodes = 20_000;

/** Returns the reading of a tree; undefined if it has more nodes than the limit. */
export function readTree(tree: Tree, text: string): TreeReading | undefined {
  const found: Found = {
    ...{ calls: [], whole: [], assigned: [], values: [], inputs: [], doubling: [] },
    ...{ writesTo: [], truncates: [], readsFrom: [], wholeOf: new Map() },
  };
  const walk = { nodes: 0, torn: tree.rootNode.hasError, special: undefined as string | undefined };
  const visit = (node: Node): void => {
    walk.nodes += 1;
    if (walk.nodes > maxNodes) return;
    walk.special ??= specialOf(node);
    walk.torn ||= isMisread(node, text);
    note(node, found, tree.rootNode.hasError);
    for (const child of node.children) if (child !== null) visit(child);
  };
  visit(tree.rootNode);
  if (walk.nodes > maxNodes) return undefined;
  const isCall = (words: Words) => words.length > 0;
  const { wholeOf: _, ...facts } = found;
  return {
    ...{ ...facts, calls: found.calls.filter(isCall), whole: found.whole.filter(isCall) },
    vouched: vouchedBy(tree.rootNode).filter(isCall),
    torn: walk.torn,
    ...(walk.special === undefined ? {} : { special: walk.special }),
  };
}

type Found = Record<keyof Redirections | "values" | "inputs" | "doubling", string[]> & {
  readonly calls: Words[];
  readonly whole: Words[];
  readonly assigned: Assignment[];
  /** All words of calls with redirections, by the id of the call's node. */
  readonly wholeOf: Map<number, Words>;
};

/** Adds the facts of one node to `found`, without the facts of the nodes below it. */
function note(node: Node, found: Found, inError: boolean): void {
  switch (node.type) {
    case "command":
    case "declaration_command":
    case "unset_command":
      found.calls.push(wordsOf(node));
      found.whole.push(found.wholeOf.get(node.id) ?? wordsOf(node));
      break;
    case "test_command":
    case "ERROR":
      found.calls.push(...scraps(node));
      found.whole.push(...scraps(node));
      break;
    case "function_definition":
      found.doubling.push(...doubledBy(node));
      break;
    case "redirected_statement":
      noteWhole(node, found);
      break;
    case "file_redirect":
      found.writesTo.push(...redirectedBy(node, /^(?:>|>>|>\||&>|&>>|>&)$/));
      found.truncates.push(...redirectedBy(node, /^(?:>|>\||&>|>&)$/));
      found.readsFrom.push(...redirectedBy(node, inError ? /./ : /^<$/));
      break;
    case "variable_assignment":
      found.assigned.push(assignmentOf(node));
      found.values.push(...valuesOf(node.childForFieldName("value")));
      break;
    case "variable_name":
    case "subscript":
      if (node.parent?.type === "for_statement" || /^:?=$/.test(node.nextSibling?.type ?? "")) {
        found.assigned.push({ name: node.text.replace(/\[.*$/s, ""), value: "", exported: false });
      }
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

/** Returns true if bash reads the text of a node differently from the grammar, or runs more than the node shows. */
function isMisread(node: Node, text: string): boolean {
  switch (node.type) {
    case "word":
      // The grammar reads backticks in an expansion as letters, and a line end before a backslash as part of a word.
      return /`|^\n|[^\\]\n/.test(node.text);
    case "variable_assignment":
      // In bash `9=` is a command and not an assignment.
      return !/^[A-Za-z_]/.test(node.text);
    case "declaration_command":
      // Assignments after a redirection set variables too.
      return node.parent?.type === "redirected_statement" || losesText(node, text);
    case "expansion":
      // `${x@P}` runs commands in the value of the variable.
      return /@P\}$/.test(node.text);
    case "raw_string":
    case "ansi_c_string":
      return node.parent?.type !== "command" && /\$\(|`/.test(node.text);
    default:
      return !/string|heredoc|concatenation/.test(node.type) && losesText(node, text);
  }
}

/** Returns true if the parts of a node leave out text, or if a blank is missing between words or after `!` or `{`. */
function losesText(node: Node, text: string): boolean {
  const parts = node.children.filter((child) => child !== null);
  return parts.some((part, index) => {
    const before = parts[index - 1];
    const from = before?.endIndex ?? (node.type === "program" ? 0 : part.startIndex);
    const gap = text.slice(from, part.startIndex).replaceAll("\\\n", "");
    if (/\S/.test(gap)) return true;
    if (before === undefined || /redirect$|body$/.test(`${before.type} ${part.type}`)) return false;
    if (node.type === "command") return !/^[ \t]+$/.test(gap);
    return gap === "" && (before.type === "!" || before.type === "{");
  });
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
  const name = node.childForFieldName("name");
  const variable = (name?.type === "subscript" ? name.childForFieldName("name") : name)?.text ?? "";
  const value = node.text.slice(name?.text.length ?? 0);
  return {
    name: variable,
    value,
    exported: /^(?:command|declaration_command)$/.test(node.parent?.type ?? ""),
  };
}

/** Returns the calls that certainly had exit code 0 if the statement has exit code 0. */
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

/** Returns the words of a test or an error, split at operators into possible calls, because the grammar finds none there. */
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

/** Returns the words of a call without assignments and redirections. */
function wordsOf(command: Node): string[] {
  const words: string[] = [];
  for (const child of command.children)
    if (child !== null && !/redirect$|^variable_assignment/.test(child.type)) words.push(textOf(child));
  return words;
}

/** Notes the words of the call that a redirection ends, with those after the redirection (`cat 2>err FILE`). */
function noteWhole(statement: Node, found: Found): void {
  const further = statement.childrenForFieldName("redirect").flatMap(wordsAfter);
  let call = statement.childForFieldName("body");
  while (call !== null && /^(?:list|pipeline)$/.test(call.type)) call = call.lastNamedChild;
  const words = call?.type === "command" ? wordsOf(call) : [];
  if (further.length > 0) found.calls.push([...words, ...further]);
  if (call?.type !== "command") {
    found.whole.push(further);
    return;
  }
  // The grammar reads the descriptor in `0<FILE` as a word.
  const redirect = statement.childForFieldName("redirect");
  const isMisread =
    words.at(-1) === "0" && redirect?.startIndex === call.endIndex && redirect.text.startsWith("<");
  found.wholeOf.set(call.id, [...(isMisread ? words.slice(0, -1) : words), ...further]);
}

/** Returns the name of a function whose body has a pipe in which two calls are of the function itself. */
function doubledBy(definition: Node): readonly string[] {
  const name = definition.childForFieldName("name")?.text ?? "";
  const isOwn = (node: Node | null) => node?.type === "command" && wordsOf(node)[0] === name;
  const pipes = definition.descendantsOfType("pipeline");
  return pipes.some((pipe) => (pipe?.children ?? []).filter(isOwn).length > 1) ? [name] : [];
}

function wordsAfter(redirect: Node | null): string[] {
  if (redirect === null) return [];
  const closes = redirect.children.some((child) => child !== null && /^[<>]&-$/.test(child.type));
  const words = redirect.childrenForFieldName("destination").slice(closes ? 0 : 1);
  return [...words, ...redirect.childrenForFieldName("argument")]
    .flatMap((word) => (word === null ? [] : textOf(word)))
    .concat(redirect.childrenForFieldName("redirect").flatMap(wordsAfter));
}

/** Returns a word without its quotes. Expansions stay as they are written. */
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
  ...{ "\\": "\\", "'": "'", '"': '"', "?": "?" },
};

const byteMask = 0xff;
const controlMask = 0x1f;
const maxCodePoint = 0x10ffff;

/** Returns the meaning of text between `$'` and `'`. */
function unescapeAnsi(text: string): string {
  const escaped = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;
  return text.replace(
    escaped,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, other?: string) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined || octal !== undefined) {
        const code =
          digits === undefined ? Number.parseInt(octal ?? "", 8) & byteMask : Number.parseInt(digits, 16);
        return code > maxCodePoint ? "" : String.fromCodePoint(code);
      }
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & controlMask);
      return ansiEscapes[other ?? ""] ?? `\\${other}`;
    },
  );
}

function redirectedBy(redirect: Node, operator: RegExp): readonly string[] {
  const found = redirect.children.some((child) => child !== null && operator.test(child.type));
  const target = redirect.childForFieldName("destination");
  return found && target !== null && !/^(?:\d+|-)?$/.test(target.text) ? [textOf(target)] : [];
}

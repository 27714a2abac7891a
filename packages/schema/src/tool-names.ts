/** Reads the names of tools as models and servers write them, in native calls and in text. */
import { foldKey } from "./names.ts";

/** A tool, with other names under which it may be called. */
export interface NamedTool {
  readonly name: string;
  readonly aliases?: readonly string[];
}

export interface ToolNames<Tool extends NamedTool> {
  /** Returns the tool with exactly this name; for a name that is given twice, the first one. */
  exact(name: string): Tool | undefined;
  /**
   * Returns the only tool that the name means, apart from case, separators, quotes, namespaces, special tokens, words of a
   * message's header and a suffix (`:0`, `()`). Returns undefined if no tool or several tools may be meant.
   */
  resolve(name: string): Tool | undefined;
}

/** The maximum length of a name that is read, in characters. */
const maxNameChars = 400;

export function toolNames<Tool extends NamedTool>(tools: readonly Tool[]): ToolNames<Tool> {
  const exact = new Map<string, Tool>();
  const loose = new Map<string, Tool | "several">();
  const aliases = new Map<string, Tool | "several">();
  for (const tool of tools) {
    if (!exact.has(tool.name)) exact.set(tool.name, tool);
    note(loose, tool.name, tool);
    for (const alias of tool.aliases ?? []) note(aliases, alias, tool);
  }
  const spelled = (name: string): Tool | undefined => {
    const key = foldKey(name);
    const found = exact.get(name) ?? loose.get(key) ?? aliases.get(key);
    return key === "" || found === "several" ? undefined : found;
  };
  return {
    exact: (name) => exact.get(name),
    resolve(name) {
      const same = exact.get(name);
      if (same !== undefined || name.length > maxNameChars) return same;
      for (const candidate of spellingsOf(name)) {
        const found = spelled(candidate);
        if (found !== undefined) return found;
      }
      return exact.get(withoutGluedWords(name));
    },
  };
}

function note<Tool>(map: Map<string, Tool | "several">, name: string, tool: Tool): void {
  const key = foldKey(name);
  const known = map.get(key);
  map.set(key, known !== undefined && known !== tool ? "several" : tool);
}

/** Matches special tokens (`<|channel|>`, also cut off), tags (`<function=`), a lone `<`, marks (`[ARGS]`), quotes and white space. */
const notName =
  /<[|｜][^<>\s]*?(?:[|｜]>|(?=[<\s]|$))|<\/[\w:-]*$|<\/?(?:[\w:-]*[=>])?|>|\[\/?[A-Z_]+\]|["'`\s{]+/g;

const headerWord = "assistant|commentary|analysis|final|json|constrain|channel|message|recipient|code";
const callWord = "tool|tools|tool_?calls?|tool_?use|function|functions|function_?calls?|call|name|to";

/** Matches a word that stands beside a name in the header of a message or in the markup of a call. */
const besideName = new RegExp(`^(?:(?:${headerWord})+|${callWord})[=:]?$`, "i");

/** Matches the words of a header that follow a name without any sign between, because a server dropped its special tokens. */
const gluedWords = /(?<=[\p{L}\p{N}])(?:json|commentary|analysis)+$/u;

const keyBefore = /^(?:to|name|function|recipient|tool)\s*[=:]\s*/i;
const namespace =
  /^(?:(?:functions?|tools?|default_api|api|mcp|assistant|namespace)[.:/]+|(?:functions|default_api)_)/i;
const number = /[:#]\d+$/;
const brackets = /\(\s*\)$/;
const signsAtEnd = /[:;,=(]+$/;

/** Matches a name after namespaces that are not known: `repo_browser.read_file`. */
const anyNamespace = /^[\p{L}\p{N}_$@./:<>|-]+\.([^.\s]*)$/u;

/** Returns the names that may be meant, the likeliest first. */
function spellingsOf(name: string): readonly string[] {
  const trimmed = name.trim().replace(/^["'`]+|(?<!["'`])["'`]+$/g, "");
  const bare = withoutNamespace(trimmed);
  const word = withoutNamespace(onlyWord(name));
  const last = anyNamespace.exec(word)?.[1] ?? "";
  return [trimmed, bare, word, last];
}

function withoutNamespace(name: string): string {
  return name
    .replace(keyBefore, "")
    .replace(namespace, "")
    .replace(number, "")
    .replace(brackets, "")
    .replace(signsAtEnd, "");
}

/** Returns the only word that is no mark and no word of a header; empty if there are several. */
function onlyWord(name: string): string {
  const words = name.replace(notName, " ").split(" ");
  const left = words.filter((word) => word !== "" && !besideName.test(word));
  return left.length === 1 ? (left[0] ?? "") : "";
}

function withoutGluedWords(name: string): string {
  return withoutNamespace(onlyWord(name)).replace(gluedWords, "");
}

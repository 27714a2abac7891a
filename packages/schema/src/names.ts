/** The names that models use for one another, and how alike two names must be to be one. */

/** Keys under which models put all arguments at once. */
export const argumentKeys: readonly string[] = [
  ["arguments", "parameters", "args", "params", "input", "kwargs"],
  ["tool_input", "toolInput", "action_input", "tool_args", "toolArgs", "tool_arguments"],
].flat();

/** A key stands for a required name of its row, when that is missing. */
const synonyms: readonly (readonly string[])[] = [
  ["command", "cmd", "commandline", "shellcommand", "bashcommand"],
  ["path", "filepath", "filename", "file", "absolutepath", "relativepath", "targetfile", "uri"],
  ["path", "directory", "dir", "directorypath", "dirpath", "folder", "folderpath"],
  ["content", "contents", "text", "filetext", "filecontent", "data", "body"],
  ["pattern", "query", "regex", "search", "searchterm", "searchquery", "term"],
  ["oldstring", "oldstr", "oldtext", "oldcontent", "old", "search", "find", "original"],
  ["newstring", "newstr", "newtext", "newcontent", "new", "replace", "replacement", "updated"],
  ["url", "uri", "link", "href"],
  ["message", "msg", "text", "commitmessage"],
  ["code", "sourcecode", "source", "script"],
];

/** Returns the letters and digits of a key: `Read-File`, `readFile` and `read_file` are one. */
export function foldKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns a word without case and word separators. All other characters count: `C` is not `C#`. */
export function foldWord(word: string): string {
  return word.toLowerCase().replace(/[\s_-]+/g, "");
}

export function areSynonyms(one: string, other: string): boolean {
  const [left, right] = [foldKey(one), foldKey(other)];
  return synonyms.some((row) => row.includes(left) && row.includes(right));
}

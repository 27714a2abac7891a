/** Lists names that models write in place of each other, and compares names without case and word separators. */

/** The keys under which models put the object of all arguments: `{"name": "read_file", "args": {...}}`. */
export const argumentKeys: readonly string[] = [
  ["arguments", "parameters", "args", "params", "input", "kwargs"],
  ["tool_input", "toolInput", "action_input", "tool_args", "toolArgs", "tool_arguments"],
].flat();

/** Each row lists synonyms. A key may mean another name in the same row if the tool requires that name and the call lacks it. */
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

/** Returns the letters and digits of a key in lower case, so that `Read-File`, `readFile` and `read_file` are the same. */
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

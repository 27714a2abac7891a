/** Recognises passwords in settings of tools, which commands in the sandbox see only without them. */
import { readEntries } from "@localharness/workspace/git-files/read-config";

const secretKey =
  /token|pass(?!ive|thro|thru)|pwd|secret|api[_-]?key|private[_-]?key|credential|_auth\b|authoriz|bearer|cookie(?!file)/i;
const addressWithPassword = /:\/\/[^\s/@"']+@/;
/** An option of a tool whose value is a name with a password: `user = "me:PASSWORD"`. */
const nameWithPassword =
  /^[ \t]*(?:-[uUE]|(?:--)?(?:proxy-)?(?:user|cert))(?:[ \t]*[=:][ \t]*|[ \t]+|(?<=-[uUE]))["']?[^\s"':]+:[^\s"']/m;
/** Keys whose values are commands, with any options. */
const commands = /^alias\.|(?:command|cmd|program|editor|pager|textconv|driver|clean|smudge|process)$/;
/** The key of a program that knows passwords. It is no password itself. */
const helperOfGit = /^credential\.(?:.*\.)?(?:helper|usehttppath|namespace)$/s;

/** Returns true if a line of the settings may have a password, or an address or a name with one. */
export function looksSecret(text: string): boolean {
  return [secretKey, addressWithPassword, nameWithPassword].some((one) => one.test(text));
}

/**
 * Returns the settings of git without those that may have a password; undefined if nothing needs to be left out, and an empty
 * text if git would refuse the file.
 */
export function withoutPasswords(bytes: Buffer): string | undefined {
  const entries = readEntries(bytes);
  if (entries === undefined) return "";
  const kept = entries.filter(({ key, value }) => !isSecretEntry(key, value));
  return kept.length === entries.length
    ? undefined
    : kept.map(({ key, value }) => written(key, value)).join("");
}

function isSecretEntry(key: string, value: string): boolean {
  if (addressWithPassword.test(`${key} ${value}`) || /extraheader$/.test(key)) return true;
  if (commands.test(key) && looksSecret(value)) return true;
  return helperOfGit.test(key) ? /passw|token/i.test(value) : secretKey.test(key);
}

function written(key: string, value: string): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const subsection = first === last ? "" : ` ${quoted(key.slice(first + 1, last))}`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)} = ${quoted(value).replaceAll("\n", "\\n")}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** Explains the error messages of programs that the sandbox has stopped, and the placeholders of the sandbox in listings. */

import { countText } from "@localharness/protocol";
import { anyOf } from "@localharness/workspace/patterns";
import type { SandboxedCommand } from "./sandbox.ts";

type Confined = Pick<SandboxedCommand, "closed" | "byRules" | "held">;

/** Matches the messages for a path that cannot be written, read or replaced. */
const refusal = anyOf(
  /read-only file system|permission denied|operation not permitted|resource busy/i,
  /not a directory|file exists|no such device|symbolic links/i,
  /\bE(?:ROFS|ACCES|PERM|BUSY|NOTDIR|EXIST|NXIO|LOOP)\b/i,
);
const missing = /no such file or directory|\bENOENT\b/i;
const outside = /: read-only file system|\bEROFS\b/i;

/** The maximum number of error messages that are searched for names that the sandbox closes. */
const maxLines = 200;
/** Output with at least this many names of placeholders counts as a listing. */
const minHeld = 5;

/**
 * Returns notes for the model and the person; none if no message and no listing in the output comes from the sandbox.
 * `workspace` is an absolute path. The paths in messages may begin with it.
 */
export function writeNotes(
  workspace: string,
  { closed, byRules, held }: Confined,
  output: string,
): readonly string[] {
  if (closed.length === 0) return [];
  // A folder that rules hide looks empty.
  const isMessage = (line: string) => refusal.test(line) || (byRules.length > 0 && missing.test(line));
  const messages = output
    .split("\n")
    .filter(isMessage)
    .slice(0, maxLines)
    .map((line) => line.replaceAll(`${workspace}/`, ""))
    .map((line) => {
      const ofRule = closedName(line, byRules);
      const isOther = ofRule === undefined && refusal.test(line);
      return { line, ofRule, name: isOther ? closedName(line, closed) : undefined };
    });
  const ofRules = found(messages.map(({ ofRule }) => ofRule));
  const names = found(messages.map(({ name }) => name));
  const isOutside = messages.some(
    ({ line, ofRule, name }) => (ofRule ?? name) === undefined && outside.test(line),
  );
  const listed = held.filter((name) => wordsOf(output).has(name));
  // A listing that leaves out hidden names shows few placeholders, each alone on a line.
  const lone = new Set(output.split("\n").map((line) => line.trim().replace(/^\.\//, "")));
  const isListing =
    listed.length >= minHeld || listed.some((name) => !name.startsWith(".") && lone.has(name));
  return [
    ...(isListing ? [listingNote(listed)] : []),
    ...(names.length > 0 && !isListing ? [closedNote(names)] : []),
    ...(ofRules.length > 0 ? [rulesNote(ofRules)] : []),
    ...(isOutside ? [outsideNote] : []),
  ];
}

/** Returns the names that were found, each once. */
function found(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** Returns the closed name that a message is about; undefined if there is none. */
function closedName(line: string, closed: readonly string[]): string | undefined {
  const paths = [...wordsOf(line)];
  return closed.find((name) => paths.some((path) => path === name || path.startsWith(`${name}/`)));
}

/** Returns the words of the output that may be paths, without `./` before them. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(/[\s'"`‘’“”,;:()]+/)
      .map((word) => word.replace(/^(?:\.\/)+/, "").replace(/\/$/, ""))
      .filter((word) => word !== ""),
  );
}

const remedy =
  "Ask the person: they can run the command themselves with ! before it, or start again with --sandbox off";

export const outsideNote = `the sandbox lets commands write only to the workspace and to $TMPDIR. Write there. If the command must write elsewhere, make exactly this call again: the person is then asked to run it outside of the sandbox. Or ask the person: the setting sandbox_writable adds folders, ! before a command runs it outside of the sandbox`;

function closedNote(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return `the sandbox closes ${shown} for commands, because other programs obey what is there. ${remedy}`;
}

function rulesNote(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return `rules of the person close ${shown} for commands. Use other files, or change ${names.length === 1 ? "it" : "them"} with a file tool, which asks if a rule allows that`;
}

function listingNote(listed: readonly string[]): string {
  const shown = listed.slice(0, 3).join(", ");
  const which =
    listed.length === 1
      ? `${shown} in this output does`
      : `${countText(listed.length, "name")} in this output, such as ${shown}, do`;
  return `${which} not exist: the sandbox holds ${listed.length === 1 ? "it" : "them"} while a command runs, so that a command cannot create ${listed.length === 1 ? "it" : "them"}`;
}

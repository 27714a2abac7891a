/** Classifies the keys of a repository's configuration by their effect on git. Keys have the form of `ConfigEntry.key`. */

import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { secretName } from "../paths/secret-name.ts";
import { wordsPattern } from "../patterns.ts";
import type { ConfigEntry } from "./read-config.ts";

/**
 * Keys that are dangerous for every git command. The pattern has the flag `s`, because a subsection may contain any
 * character but LF.
 */
const always = wordsPattern(
  "^",
  String.raw`core\.(?:fsmonitor|pager|worktree|gitproxy|alternaterefscommand) pager\..* diff\.external
    (?:diff|filter|textconv)\..*\.(?:command|textconv|clean|smudge|process|required)
    interactive\.difffilter gpg\.(?:.*\.)?(?:program|defaultkeycommand) include\.path includeif\..*
    extensions\.(?:partialclone|refstorage) remote\..*\.(?:promisor|partialclonefilter) hook\..*
    submodule\..*\.ignore blame\.ignorerevsfile`,
  "$",
  "s",
);
const forChanges = wordsPattern(
  "^",
  String.raw`core\.(?:hookspath|editor|sshcommand|askpass) sequence\.editor credential\..* ssh\..*
    merge\..*\.driver mergetool\..* difftool\..* guitool\..* man\..* browser\..* help\.browser
    instaweb\..* web\.browser remote\..*\.(?:uploadpack|receivepack|vcs|proxy) url\..*
    submodule\..*\.update http\..* protocol\..* sendemail\..* tar\..*\.command init\.templatedir
    trailer\..* lfs\..*transfer.* lfs\.extension\..* imap\..*`,
  "$",
  "s",
);
const suspicious = /command|cmd$|program|helper|editor|driver|textconv|exec/;
/** Keys that name a file whose content git shows or uses. */
const namesFile = wordsPattern(
  "^",
  String.raw`core\.(?:attributesfile|excludesfile) mailmap\.file diff\.orderfile
    gpg\.ssh\.(?:allowedsignersfile|revocationfile)`,
  "$",
);

/**
 * Returns true if git may start or follow the value even in a command that only reads; false if the value is known to be
 * harmless. `home` is the folder that contains `.git`.
 */
export function countsAlways(entry: ConfigEntry, home: string): boolean {
  return always.test(entry.key) && !isHarmless(entry, home);
}

/** Returns true if git starts or follows the value only in commands that change something or connect to a server. */
export function countsForChanges(entry: ConfigEntry, home: string): boolean {
  return (
    !always.test(entry.key) &&
    (forChanges.test(entry.key) || looksExecutable(entry)) &&
    !isHarmless(entry, home)
  );
}

/**
 * Returns a replacement value with which a read-only command neither follows the key out of the repository nor starts a program
 * for it; undefined for a key that needs no replacement.
 */
export function valueForLooking({ key, value }: ConfigEntry, home: string): string | undefined {
  if (key === "log.diffmerges") {
    // The value "remerge" would run merge drivers that attributes name.
    return "separate";
  }
  return namesFile.test(key) && !isOwnFile(home, value) ? "/dev/null" : undefined;
}

function isHarmless({ key, value }: ConfigEntry, home: string): boolean {
  const truth = /^(?:true|false|yes|no|on|off|0|1)?$/i;
  if (key === "blame.ignorerevsfile") return isOwnFile(home, value);
  if (key === "extensions.refstorage") return /^(?:files|reftable)$/.test(value);
  return (key === "core.fsmonitor" || key.startsWith("pager.")) && truth.test(value)
    ? true
    : key === "core.pager" && value === "cat"
      ? true
      : /^http\..*(?:postbuffer|version|sslverify|lowspeed\w*)$/s.test(key) && !/[/!]/.test(value);
}

/**
 * Returns true for a plain relative path in the repository that is not a secret and has no link in it, and for an empty
 * value. The file may be missing.
 */
function isOwnFile(home: string, value: string): boolean {
  if (value === "") return true;
  if (!/^[\w.-][\w./-]*$/.test(value) || value.split("/").includes("..") || secretName(value) !== undefined) {
    return false;
  }
  try {
    return realpathSync.native(join(home, value)) === resolve(home, value);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

function looksExecutable({ key, value }: ConfigEntry): boolean {
  const name = key.slice(key.lastIndexOf(".") + 1);
  return (
    suspicious.test(name) ||
    value.startsWith("!") ||
    /\bext::/.test(value) ||
    /^--(?:upload|receive)-pack/.test(value)
  );
}

/** Keys of a repository's configuration by what git does with them. Keys are as `ConfigEntry` has them. */
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { secretName } from "../workspace/secret-name.ts";
import type { ConfigEntry } from "./read-config.ts";

/** A subsection may hold any character but a line end: `s` lets the dots match those that end lines for JavaScript. */
const always =
  /^(?:core\.(?:fsmonitor|pager|worktree|gitproxy|alternaterefscommand)|pager\..*|diff\.external|(?:diff|filter|textconv)\..*\.(?:command|textconv|clean|smudge|process|required)|interactive\.difffilter|gpg\.(?:.*\.)?(?:program|defaultkeycommand)|include\.path|includeif\..*|extensions\.(?:partialclone|refstorage)|remote\..*\.(?:promisor|partialclonefilter)|hook\..*|submodule\..*\.ignore|blame\.ignorerevsfile)$/s;
const forChanges =
  /^(?:core\.(?:hookspath|editor|sshcommand|askpass)|sequence\.editor|credential\..*|ssh\..*|merge\..*\.driver|mergetool\..*|difftool\..*|guitool\..*|man\..*|browser\..*|help\.browser|instaweb\..*|web\.browser|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|url\..*|submodule\..*\.update|http\..*|protocol\..*|sendemail\..*|tar\..*\.command|init\.templatedir|trailer\..*|lfs\..*transfer.*|lfs\.extension\..*|imap\..*)$/s;
const suspicious = /command|cmd$|program|helper|editor|driver|textconv|exec/;
/** Git shows lines of these files, or what it knows from them. */
const namesFile =
  /^(?:core\.(?:attributesfile|excludesfile)|mailmap\.file|diff\.orderfile|gpg\.ssh\.(?:allowedsignersfile|revocationfile))$/;

/** What git starts or follows whatever it does. `home`: the folder that holds `.git`. */
export function countsAlways(entry: ConfigEntry, home: string): boolean {
  return always.test(entry.key) && !isHarmless(entry, home);
}

/** What counts for commands that change something or connect somewhere. */
export function countsForChanges(entry: ConfigEntry, home: string): boolean {
  return (
    !always.test(entry.key) &&
    (forChanges.test(entry.key) || looksExecutable(entry)) &&
    !isHarmless(entry, home)
  );
}

/**
 * The value that keeps a look from following the key out of the repository, or to programs that are not named for
 * showing; undefined for keys that need none.
 */
export function valueForLooking({ key, value }: ConfigEntry, home: string): string | undefined {
  if (key === "log.diffmerges") {
    // "remerge" merges again, with the drivers that attributes name.
    return "separate";
  }
  return namesFile.test(key) && !isOwnFile(home, value) ? "/dev/null" : undefined;
}

function isHarmless({ key, value }: ConfigEntry, home: string): boolean {
  const truth = /^(?:true|false|yes|no|on|off|0|1)?$/i;
  if (key === "blame.ignorerevsfile") {
    return isOwnFile(home, value);
  }
  if (key === "extensions.refstorage") {
    return /^(?:files|reftable)$/.test(value);
  }
  return (key === "core.fsmonitor" || key.startsWith("pager.")) && truth.test(value)
    ? true
    : key === "core.pager" && value === "cat"
      ? true
      : /^http\..*(?:postbuffer|version|sslverify|lowspeed\w*)$/s.test(key) && !/[/!]/.test(value);
}

/** A file of the repository that holds no secret, named plainly and reached through no link; it may be missing. */
function isOwnFile(home: string, value: string): boolean {
  if (value === "") {
    return true;
  }
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

/** `localharness sessions`: lists, shows, searches, exports, renames and deletes saved sessions. */
import { existsSync, realpathSync } from "node:fs";
import { resolve, sep } from "node:path";
import { configError, usageError } from "@localharness/engine";
import {
  countText,
  type ExportFormat,
  exportFormats,
  formatOfFile,
  plainJson,
  plainText,
  sizeText,
  suggestion,
} from "@localharness/protocol";
import { type KeptSessions, openKeptSessions } from "@localharness/store/sessions/kept-sessions";
import { allFolders, folderStats } from "@localharness/store/sessions/session-folders";
import { forkLine, sessionRow } from "@localharness/store/sessions/session-line";
import { readKeys } from "../config/keys.ts";
import { configFolder, stateFolder } from "../config/location.ts";
import { knownSecrets } from "../config/secrets.ts";
import { systemPrompt } from "../prompt/system-prompt.ts";
import { type CommandFlags, type CommandLine, textFlag } from "./command-line.ts";
import { exitCodes } from "./exit-code.ts";
import { folded } from "./fold-lines.ts";

const verbs = ["list", "show", "search", "export", "rename", "delete", "move", "stats"] as const;
type Verb = (typeof verbs)[number];

export async function runSessions({ positionals, flags }: CommandLine): Promise<number> {
  const [word = "list", ...rest] = positionals;
  const verb = verbs.find((one) => one === word);
  if (verb === undefined) {
    throw usageError(
      `sessions has no command "${word}": expected ${verbs.join(", ")}.${suggestion(word, verbs)}`,
    );
  }
  const state = stateFolder();
  if (state === undefined) {
    throw configError("there is no home folder with sessions: set HOME or XDG_STATE_HOME");
  }
  const workspace = realPath(textFlag(flags, "workspace") ?? ".");
  const { mask, forms } = await knownSecrets(process.env, await readKeys(configFolder()));
  const sessions = openKeptSessions({
    stateFolder: state,
    workspace,
    systemPrompt: systemPrompt(workspace),
    mask,
    secrets: forms,
  });
  try {
    await runVerb(verb, rest, flags, sessions, state);
    return exitCodes.done;
  } finally {
    sessions.close();
  }
}

async function runVerb(
  verb: Verb,
  words: readonly string[],
  flags: CommandFlags,
  sessions: KeptSessions,
  state: string,
): Promise<void> {
  switch (verb) {
    case "list":
      if (words.length > 0) {
        throw usageError(`sessions list takes no words: localharness sessions search ${words.join(" ")}`);
      }
      return flags.all === true ? await listAll(state, flags) : await list("", flags, sessions);
    case "search":
      if (words.length === 0) throw usageError("localharness sessions search WORDS: which words?");
      return list(words.join(" "), flags, sessions);
    case "show":
      return show(await only(words, "show", sessions), flags, sessions);
    case "export":
      return exportOne(words, flags, sessions);
    case "rename":
      return rename(words, sessions);
    case "delete":
      return remove(words, sessions);
    case "move":
      return move(words, state);
    case "stats":
      return stats(state, flags);
  }
}

async function list(words: string, flags: CommandFlags, sessions: KeptSessions): Promise<void> {
  const found = await sessions.listSessions(words);
  if (flags.json === true) {
    for (const one of found) process.stdout.write(`${plainJson(one)}\n`);
    return;
  }
  if (found.length === 0) tell(words === "" ? "no sessions here yet" : `no session contains "${words}"`);
  // Search results have no numbers, because a number always means a position in the whole list.
  for (const [index, session] of found.entries())
    say(folded(`${sessionRow(words === "" ? index + 1 : undefined, session, Date.now())}\n`));
}

async function listAll(state: string, flags: CommandFlags): Promise<void> {
  for (const { workspace, sessions } of await allFolders(state)) {
    if (flags.json !== true) say(`${workspace}\n`);
    for (const session of sessions)
      if (flags.json === true) process.stdout.write(`${plainJson({ workspace, ...session })}\n`);
      else say(folded(`  ${sessionRow(undefined, session, Date.now())}\n`));
  }
}

async function show(id: string, flags: CommandFlags, sessions: KeptSessions): Promise<void> {
  const usual = process.stdout.isTTY === true ? "terminal" : "markdown";
  say(await sessions.exportText(id, formatOf(flags) ?? usual));
}

async function exportOne(
  words: readonly string[],
  flags: CommandFlags,
  sessions: KeptSessions,
): Promise<void> {
  const [wanted, file, ...more] = words;
  if (wanted === undefined || more.length > 0) {
    throw usageError("usage: localharness sessions export ID [FILE]");
  }
  const id = await found(wanted, sessions);
  const format = formatOf(flags) ?? (file === undefined ? undefined : formatOfFile(file)) ?? "markdown";
  if (file === undefined) return say(await sessions.exportText(id, format));
  tell(`written to ${await sessions.exportSession(id, format, file)}`);
}

async function rename([wanted, ...name]: readonly string[], sessions: KeptSessions): Promise<void> {
  if (wanted === undefined || name.length === 0) {
    throw usageError("usage: localharness sessions rename ID NAME");
  }
  await sessions.renameSession(await sessions.findSession(wanted), name.join(" "));
}

async function remove(words: readonly string[], sessions: KeptSessions): Promise<void> {
  if (words.length === 0) throw usageError("usage: localharness sessions delete ID...");
  // All ids are resolved before the first deletion, because deleting changes the numbers of the list.
  const ids: string[] = [];
  for (const wanted of words) ids.push(await sessions.findSession(wanted));
  for (const id of new Set(ids)) {
    await sessions.deleteSession(id);
    tell(`deleted ${id}`);
  }
}

async function move([from, to, ...more]: readonly string[], state: string): Promise<void> {
  if (from === undefined || to === undefined || more.length > 0) {
    throw usageError("usage: localharness sessions move OLD NEW");
  }
  const target = realPath(to);
  if (!existsSync(target)) throw usageError(`${target} does not exist: move the folder first`);
  const { moveSessions } = await import("@localharness/store/sessions/move-sessions");
  const { moved, stayed } = await moveSessions(state, await oldPath(from, state), target);
  for (const line of stayed) tell(line);
  tell(
    `moved ${countText(moved, "session")} to ${target}. Trust and remembered answers belong to the old place: this one is asked about`,
  );
}

/** Returns the path under which the sessions of a folder are kept. If the folder is now a link, the path of the link has them. */
async function oldPath(from: string, state: string): Promise<string> {
  const written = resolve(from);
  const folders = (await allFolders(state)).map(({ workspace }) => workspace);
  const has = (path: string) => folders.some((one) => one === path || one.startsWith(path + sep));
  return has(written) ? written : realPath(from);
}

async function stats(state: string, flags: CommandFlags): Promise<void> {
  const all = await folderStats(state);
  for (const one of all) {
    if (flags.json === true) process.stdout.write(`${plainJson(one)}\n`);
    else {
      say(
        `${one.workspace}\n  ${countText(one.sessions, "session")}, ${countText(one.messages, "message")}, ${sizeText(one.bytes)}\n`,
      );
    }
  }
  if (all.length === 0 && flags.json !== true) tell("no sessions yet");
}

async function only(words: readonly string[], verb: Verb, sessions: KeptSessions): Promise<string> {
  const [wanted, ...more] = words;
  if (wanted === undefined || more.length > 0) throw usageError(`usage: localharness sessions ${verb} ID`);
  const id = await found(wanted, sessions);
  const forks = await sessions.listForks(id);
  if (forks.length > 1) for (const fork of forks) tell(forkLine(fork));
  return id;
}

/** Returns the id of a session. Tells the person if it is a session of another folder. */
async function found(wanted: string, sessions: KeptSessions): Promise<string> {
  const id = await sessions.findSession(wanted);
  const other = await sessions.otherFolderOf(id);
  if (other !== undefined) tell(`a session of ${other}${existsSync(other) ? "" : ", which is gone"}`);
  return id;
}

function formatOf(flags: CommandFlags): ExportFormat | undefined {
  const given = textFlag(flags, "format");
  const format = exportFormats.find((one) => one === given || (one === "markdown" && given === "md"));
  if (given !== undefined && format === undefined) {
    throw usageError(
      `--format expects one of ${exportFormats.join(", ")}, got "${given}".${suggestion(given, exportFormats)}`,
    );
  }
  return format;
}

function realPath(folder: string): string {
  try {
    return realpathSync(resolve(folder));
  } catch {
    return resolve(folder);
  }
}

function say(text: string): void {
  process.stdout.write(plainText(text));
}

function tell(text: string): void {
  process.stderr.write(folded(`· ${plainText(text)}\n`, process.stderr));
}

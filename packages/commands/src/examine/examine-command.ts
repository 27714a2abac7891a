/** Examines a command before it runs, without changing anything. */
import {
  type CallFacts,
  type CommandFacts,
  type Concern,
  isOutside,
  type TouchedPath,
} from "@localharness/engine";
import { defined } from "@localharness/protocol";
import { secretConcern } from "@localharness/workspace/examine/secret-concerns";
import { isOrdinaryBelow } from "@localharness/workspace/files/ordinary-below";
import { isOrdinaryIn } from "@localharness/workspace/paths/ordinary";
import { protectedName } from "@localharness/workspace/paths/protected";
import { secretName } from "@localharness/workspace/paths/secret-name";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { ReadCalls } from "../answers/add-mark.ts";
import { rememberedScope } from "../answers/remembered-scope.ts";
import { widerScope } from "../answers/wider-scope.ts";
import { lookAtGit } from "../git/git-concerns.ts";
import { type StoredBy, storedByCalls } from "../git/stored-secrets.ts";
import { findPlaces, type LosingCommand } from "../losses/find-places.ts";
import { type Loss, lossesOf } from "../losses/losses.ts";
import { callsInPrograms } from "../shell/calls-in-programs.ts";
import { commandEffect, leavesSandbox, needsNetwork } from "../shell/command-effect.ts";
import { runsComputedFiles } from "../shell/computed-runs.ts";
import { runsComputed } from "../shell/executed-files.ts";
import { callsByPatterns } from "../shell/expand-patterns.ts";
import { createWordExpander } from "../shell/expand-word.ts";
import { readGitCall } from "../shell/git-call.ts";
import { type HiddenCalls, hiddenCalls } from "../shell/hidden-calls.ts";
import { knownParts } from "../shell/known-parts.ts";
import { locateWord, placedIn } from "../shell/locate.ts";
import { looksOnly } from "../shell/looks-only.ts";
import { packageOptionConcerns } from "../shell/package-options.ts";
import { prefixOf } from "../shell/programs/prefixes.ts";
import type { Words } from "../shell/programs/program.ts";
import { baseName, programOf } from "../shell/programs/table.ts";
import type { CommandReading } from "../shell/read-command.ts";
import type { CommandReader } from "../shell/reader.ts";
import { searchedSecrets } from "../shell/searched-secrets.ts";
import { type LocateProgram, programLocator } from "../shell/stable-program.ts";
import { joinRedirections } from "../shell/syntax-tree.ts";
import { type ReplacedPath, touchedPaths } from "../shell/touched-paths.ts";

export interface ExaminedCommand {
  readonly reading: CommandReading;
  /** The folder in which the command runs, relative to the workspace. */
  readonly folder: string;
  /** The `PATH` of the command. */
  readonly searchPath: string;
  /** Resolves to the files that `git` prints if it is called with `words`; undefined if they are unknown. */
  shownByGit?(words: Words): Promise<readonly string[] | undefined>;
  /** Resolves to the files that `git` takes into the repository if it is called with `words`; undefined if it takes none. */
  readonly storedByGit?: StoredBy;
  /** Resolves to the names that git lists at the root of the workspace if it is called with `words`; undefined if it cannot. */
  listByGit?(words: Words): Promise<readonly string[] | undefined>;
  /** Returns a text that changes when a tool writes in the workspace, except to the files in `except`. */
  toolWrites?(except: readonly string[]): string;
  /** Resolves to true if undo could restore everything at the places. Absent if nothing is kept before the command. */
  keeps?(places: readonly ReplacedPath[]): Promise<boolean>;
}

export async function examineCommand(
  workspace: Workspace,
  command: ExaminedCommand,
  reader: CommandReader,
): Promise<CallFacts> {
  const facts = await examineParts(workspace, command, reader);
  return { ...facts, ...defined({ wider: await widerFacts(workspace, command, reader, facts) }) };
}

/** Resolves to the scope of an answer to any command of the same beginning; undefined unless the command is one plain call. */
async function widerFacts(
  workspace: Workspace,
  { reading, folder, searchPath }: ExaminedCommand,
  reader: CommandReader,
  { command, paths = [], readOnly }: CallFacts,
): Promise<CallFacts["wider"]> {
  const { calls = [], hidden, unclear } = command ?? {};
  const [call] = calls;
  const isOne = calls.length === 1 && hidden === undefined && unclear === undefined;
  if (call === undefined || !isOne || readOnly === true || prefixOf(call) === undefined) return undefined;
  const { values, readsFrom, writesTo, namesRepository } = reading;
  const isPlain = [...values, ...readsFrom, ...writesTo].length === 0 && !namesRepository;
  if (!isPlain || needsNetwork(calls) || paths.some(isElsewhere)) return undefined;
  return await widerScope(workspace, {
    ...{ call, folder, locateProgram: programLocator(searchPath, workspace.root, workspace.added()) },
    callsIn: (script) => callsIn(script, reader),
    ...defined({ gitConfiguration: lookAtGit(workspace, calls, [folder])?.configuration }),
  });
}

function isElsewhere(path: TouchedPath): boolean {
  return isOutside(path) || path.added !== undefined;
}

async function examineParts(
  workspace: Workspace,
  command: ExaminedCommand,
  reader: CommandReader,
): Promise<CallFacts> {
  const { reading, folder } = command;
  const { text, values } = reading;
  const locateProgram = programLocator(command.searchPath, workspace.root, workspace.added());
  const visible = reading.calls?.map((call) => call.words);
  const inner = hiddenCalls(reading, reader);
  const { calls: hidden, endless } = inner;
  const redirected = joinRedirections([reading, inner]);
  const all = [...(visible ?? []), ...hidden];
  const forRules = [...hidden, ...callsInPrograms(all, reader)];
  const { folders, unknown } = foldersOf(workspace, folder, all);
  const git = lookAtGit(workspace, all, folders);
  const touched = touchedPaths(workspace, { calls: all, ...redirected, values, folders });
  const byPatterns = visible === undefined ? callsByPatterns(workspace, folder, reading) : undefined;
  const plain = git?.inRepository === false ? undefined : (visible ?? byPatterns);
  const look = plain && looking(workspace, plain, folder, locateProgram);
  const { complete, ...scope } = await rememberedScope(workspace, {
    ...{ text, calls: all, literal: visible?.length ?? 0, values, folders, locateProgram },
    ...redirected,
    ...(git === undefined ? {} : { gitConfiguration: git.configuration }),
    callsIn: (script) => callsIn(script, reader),
    toolWrites: command.toolWrites?.bind(command),
  });
  const isElsewhere = unknown || reading.namesRepository || inner.namesRepository;
  const stored = await storedByCalls(all, isElsewhere ? undefined : folders, command.storedByGit);
  const concerns: readonly Concern[] = [
    ...stored.filter(({ id }) => touched.concerns.every((one) => one.id !== id)),
    ...readingConcerns(reading, endless || touched.incomplete),
    ...programConcerns(all, locateProgram),
    ...(git?.concerns ?? []),
    ...(isElsewhere && git !== undefined ? [unknownFolder] : []),
    ...packageOptionConcerns(all),
    ...touched.concerns,
    ...shownSecrets(workspace, look?.secrets ?? [], touched.concerns),
  ];
  const readOnly = look !== undefined && !concerns.some(({ id }) => id.startsWith("secret:"));
  const losing = { ...redirected, text, values, folders: isElsewhere ? [] : folders };
  const losses = lossesOf(workspace, { calls: all, replaced: touched.replaced, folders });
  // A search that may print a secret still counts as read-only; this concern asks in every mode.
  const searched = shownSecrets(workspace, searchedSecrets(workspace, all, folders), concerns);
  return {
    ...(readOnly ? { risk: "low" } : {}),
    readOnly,
    ...(needsNetwork(all) ? { grade: "leaves" } : {}),
    ...defined({ effect: commandEffect(all, reading.unclear, { paths: touched.paths, readOnly }) }),
    paths: touched.paths,
    command: {
      text,
      ...(visible === undefined ? {} : { calls: visible }),
      ...(forRules.length === 0 ? {} : { hidden: forRules }),
      ...clarity(reading, inner),
      ...touchingMore(all),
      ...(readOnly ? defined({ callsByPatterns: byPatterns }) : {}),
      ...defined({
        leaves: leavesSandbox(all),
        destroys: losses[0]?.why,
        kept: await keptPlaces(workspace, losses, command, { ...losing, calls: all, inputs: reading.inputs }),
      }),
    },
    concerns: [...concerns, ...searched],
    ...scope,
    // A search of whole folders may find secrets, so an answer covers only this command.
    ...(readOnly && !look.recursive && !touched.paths.some(({ added }) => added) ? { kind: everyLook } : {}),
    ...(readOnly && (await showsOrdinary(workspace, look, command)) ? { looks: true } : {}),
    rememberable: complete && mayLast(reading, all, inner, unknown),
  };
}

/** Resolves to the places of all losses, if undo could restore everything there; else to undefined. */
async function keptPlaces(
  workspace: Workspace,
  losses: readonly Loss[],
  { keeps, listByGit }: ExaminedCommand,
  losing: LosingCommand,
): Promise<readonly ReplacedPath[] | undefined> {
  if (keeps === undefined || losses.length === 0) return undefined;
  const found = await findPlaces(workspace, losses, { ...losing, ...defined({ listByGit }) });
  if (found.some(({ places }) => places === undefined)) return undefined;
  const known = found.flatMap(({ places }) => places ?? []);
  return (await keeps(known)) ? known : undefined;
}

const fromItsInput = "a program may get the commands that it runs from its input";

/** Returns the reason why the command is unclear, and which of its parts are known nevertheless; nothing if it is clear. */
function clarity(
  reading: CommandReading,
  { fromInput, endless }: HiddenCalls,
): Pick<CommandFacts, "unclear" | "known"> {
  const unclear = reading.unclear ?? (fromInput ? fromItsInput : undefined);
  if (unclear === undefined) return {};
  return { unclear, ...(fromInput || endless ? {} : defined({ known: knownParts(reading) })) };
}

/** Returns a concern about each of the paths, which are secrets, unless `known` has a concern about that kind of secret. */
function shownSecrets(
  { root }: Workspace,
  paths: readonly string[],
  known: readonly Concern[],
): readonly Concern[] {
  return paths
    .map((path) => secretConcern(path, secretName(path, root) ?? path))
    .filter(({ id }) => known.every((one) => one.id !== id));
}

/** Returns the calls in a text of the shell, and the calls that they start, and whether it runs files by computed names. */
function callsIn(text: string, reader: CommandReader): ReturnType<ReadCalls> {
  const reading = reader.read(text);
  const hidden = hiddenCalls(reading, reader);
  const calls = [...(reading.calls ?? []).map(({ words }) => words), ...hidden.calls];
  return { calls, computed: runsComputedFiles(reading, hidden, calls) };
}

const everyLook = {
  scope: '{"commands":"only looking"}',
  covers: "every command that only reads files of this workspace, such as ls, cat, grep or git status",
};

const maxFolders = 9;

/**
 * Returns as `folders` the folder in which the command starts and the folders of the workspace in which its calls may run,
 * at most 9 in all. `unknown` is true if calls may also run elsewhere.
 */
function foldersOf(workspace: Workspace, folder: string, calls: readonly Words[]) {
  const folders = [folder];
  let from = folder;
  let unknown = false;
  for (const [name = "", ...args] of calls) {
    const { changesFolder, reaches } = programOf(name);
    const ofGit = reaches === undefined ? [] : readGitCall(args).folders;
    const target = ofGit.length > 0 ? ofGit.reduce(placedIn) : changesFolder?.(args);
    if (target === undefined) continue;
    const targets = [target, ...createWordExpander(workspace).expand(from, target)];
    const places = targets.map((word) => locateWord(workspace, from, word));
    for (const { kind, path } of places)
      if (kind !== "file" && kind !== "elsewhere" && folders.length < maxFolders) folders.push(path);
    // An option of git holds for its own call only.
    if (ofGit.length === 0) from = folders.at(-1) ?? from;
    unknown ||= places.length !== 1 || places[0]?.kind !== "folder" || folders.length === maxFolders;
  }
  return { folders: [...new Set(folders)], unknown };
}

const ask = (id: string, reason: string): Concern => ({ id, decision: "ask", reason });

const unknownFolder = ask("git-elsewhere", "git would run in a folder that is unknown before it runs");

/** Resolves to true if a command that only reads certainly shows no secrets and no protected files. */
async function showsOrdinary(
  workspace: Workspace,
  { unsure, fromGit }: { readonly unsure: boolean; readonly fromGit: readonly Words[] },
  { folder, shownByGit }: ExaminedCommand,
): Promise<boolean> {
  if (unsure || (fromGit.length > 0 && folder !== ".")) return false;
  for (const words of fromGit) {
    const paths = await shownByGit?.(words);
    if (paths === undefined || !paths.every((path) => isOrdinaryIn(workspace, path))) return false;
  }
  return true;
}

/**
 * Returns undefined if a command may do more than read, reads outside the workspace, or calls a program that is not reliable
 * (see `stable-program.ts`). Otherwise returns the secrets that it names (`secrets`), whether it reads whole folders
 * (`recursive`), whether it may read more than ordinary files (`unsure`), and the calls of git that print files without
 * naming them (`fromGit`).
 */
function looking(
  workspace: Workspace,
  calls: readonly Words[],
  folder: string,
  locateProgram: LocateProgram,
) {
  const secrets: string[] = [];
  const fromGit: Words[] = [];
  let recursive = false;
  let unsure = false;
  for (const words of calls) {
    const look = looksOnly(words);
    const program = locateProgram(words[0] ?? "");
    if (look === undefined || (program.kind !== "builtin" && program.kind !== "stable")) return undefined;
    const reach = programOf(words[0] ?? "").reaches?.(words.slice(1));
    recursive ||= look.recursive || reach?.kind === "everything";
    if (reach?.kind === "everything") fromGit.push(words.slice(1));
    const walked = look.recursive && look.paths.length === 0 ? [folder] : [];
    unsure ||= walked.some((path) => !isOrdinaryBelow(workspace, path));
    const ofHistory = reach?.kind === "named" ? reach.paths : [];
    for (const word of [...look.paths, ...ofHistory]) {
      const place = locateWord(workspace, folder, word);
      // A missing path may be a folder in git's history. Git then shows all of its files.
      const ofGit =
        reach !== undefined &&
        (place.kind === "folder" || (place.kind === "missing" && isPathspec(words, word)));
      recursive ||= ofGit;
      unsure ||=
        ofGit ||
        !isOrdinaryIn(workspace, place.path) ||
        (look.recursive && place.kind === "folder" && !isOrdinaryBelow(workspace, place.path));
      const isUnread = place.kind === "folder" && look.filesOnly === true;
      if (place.kind === "elsewhere" || isUnread) return undefined;
      const isSecret = secretName(place.path, workspace.root) !== undefined;
      if (isSecret && look.silent === true) return undefined;
      if (isSecret) secrets.push(place.path);
    }
  }
  return { secrets, recursive, unsure, fromGit };
}

function isPathspec(words: readonly string[], word: string): boolean {
  const end = words.indexOf("--");
  return end !== -1 && words.includes(word, end + 1);
}

function touchingMore(calls: readonly Words[]): { readonly touchesMore?: string } {
  const reaches = ([name = "", ...args]: readonly string[]) => programOf(name).reaches?.(args).kind;
  const reachesAll = calls.some((words) => reaches(words) === "everything");
  if (reachesAll) return { touchesMore: "git prints or changes files that it does not name" };
  const [fed] = calls.find(([name = ""]) => programOf(name).feeds !== undefined) ?? [];
  return fed === undefined
    ? {}
    : { touchesMore: `${baseName(fed)} gives a program files that the command does not name` };
}

function readingConcerns(reading: CommandReading, endless: boolean): readonly Concern[] {
  return [
    ...(reading.unread ? [ask("unread-command", reading.unclear ?? "the command could not be read")] : []),
    ...(reading.deceptive === undefined ? [] : [ask("deceptive-text", reading.deceptive)]),
    ...(endless ? [ask("too-long", "it names or starts more than can be examined")] : []),
  ];
}

/** Returns a concern about the first program that can be replaced where `PATH` finds it or is in a protected folder. */
function programConcerns(calls: readonly Words[], locateProgram: LocateProgram): readonly Concern[] {
  for (const [name = ""] of calls) {
    const place = locateProgram(name);
    // Packages install programs in `node_modules/.bin`, but no such program may replace a program of the system.
    if (place.kind === "unstable" && (place.shadows || !place.path.includes("/node_modules/.bin/"))) {
      return [ask(`program:${name}`, `"${name}" is ${place.path} here: ${place.reason}`)];
    }
    // Everybody runs the wrapper of a build tool by its path; a change of it is what asks.
    const isWrapper = programOf(name).wrapper === true;
    const isProtected = place.kind === "path" && !isWrapper && protectedName(name) !== undefined;
    if (isProtected) return [ask(`program:${name}`, `"${name}" is in a protected folder`)];
  }
  return [];
}

/** Returns false if the text of the command may mean something else the next time. */
function mayLast(
  reading: CommandReading,
  calls: readonly Words[],
  hidden: HiddenCalls,
  unknownFolders: boolean,
): boolean {
  if (reading.deceptive !== undefined || reading.torn || unknownFolders || reading.surroundings) return false;
  if (hidden.fromInput || hidden.unsteady || hidden.calls.some(runsComputed)) return false;
  return !calls.some(
    ([name = "", ...args]) =>
      programOf(name).surroundings === true || /[$`*?[{]/.test(name) || runsSubscript(name, args),
  );
}

/** Returns true for a builtin that may evaluate a subscript, which can run commands: `let 'a[$(x)]'`. */
function runsSubscript(name: string, args: Words): boolean {
  const { builtin } = programOf(name);
  if (typeof builtin === "function") return builtin(args) !== undefined;
  return builtin === "changes" && args.some((word) => /\[.*(?:\$\(|`)/s.test(word));
}

/** The methods of a session's host that clients may call, with the schemas that check their arguments. */
import { type FolderChange, type Host, type HostMethod, toolScopes } from "@localharness/protocol";
import { z } from "zod";

interface MethodRow {
  readonly summary: string;
  /** The schema of the list of arguments, without the signal. */
  readonly args: z.ZodType<readonly unknown[]>;
  call(host: Host, args: readonly never[], signal: AbortSignal): Promise<unknown>;
}

const text = z.string().max(100_000);
const id = z.string().min(1).max(200);
const none = z.tuple([]);
const mention = z.object({
  text: z.string().max(4_096),
  path: z.string().min(1).max(4_096),
  firstLine: z.int().nonnegative().optional(),
  lastLine: z.int().nonnegative().optional(),
});

const folderChange = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("add"),
    path: z.string().min(1).max(4_096),
    trust: z.enum(["yes", "read"]).optional(),
  }),
  z.object({ kind: z.literal("remove"), path: z.string().min(1).max(4_096) }),
]);

function row<const Args extends z.ZodType<readonly unknown[]>>(
  summary: string,
  args: Args,
  call: (host: Host, args: z.output<Args>, signal: AbortSignal) => Promise<unknown>,
): MethodRow {
  return { summary, args, call: call as MethodRow["call"] };
}

export const hostMethods: Readonly<Record<HostMethod, MethodRow>> = {
  listModels: row("the models of the server", none, (host) => host.listModels()),
  useModel: row("switches to a model", z.tuple([id]), (host, [name]) => host.useModel(name)),
  listTools: row("the tools", none, (host) => host.listTools()),
  switchTool: row(
    "switches a tool on or off",
    z.tuple([id, z.boolean(), z.enum(toolScopes).optional()]),
    (host, [name, on, scope]) => host.switchTool(name, on, scope),
  ),
  changeTrust: row(
    "words about the trust in the folder, after the choice if there is one",
    z.tuple([z.enum(["yes", "auto", "read"]).optional()]),
    (host, [choice]) => host.changeTrust(choice),
  ),
  changeFolders: row(
    "words about the folders beside the workspace, after the change if there is one",
    z.tuple([folderChange.optional()]),
    (host, [change]) => host.changeFolders(change as FolderChange | undefined),
  ),
  listRules: row("the rules and remembered answers", none, (host) => host.listRules()),
  forgetRule: row("removes a rule", z.tuple([id]), (host, [rule]) => host.forgetRule(rule)),
  listSessions: row("the other saved sessions", z.tuple([text]), (host, [words], signal) =>
    host.listSessions(words, signal),
  ),
  renameSession: row("renames a session", z.tuple([id, text]), (host, [session, name]) =>
    host.renameSession(session, name),
  ),
  readSessionName: row("the name of this session", none, (host) => host.readSessionName()),
  deleteSession: row("deletes a session", z.tuple([id]), (host, [session]) => host.deleteSession(session)),
  listForks: row("the fork tree of this session", none, (host) => host.listForks()),
  exportSession: row(
    "writes this session to a file and returns its path",
    z.tuple([z.enum(["markdown", "json", "html"]), z.string().max(4_096).optional()]),
    (host, [format, path]) => host.exportSession(format, path),
  ),
  listContext: row("the parts of the next prompt", none, (host) => host.listContext()),
  countContext: row("the tokens of the next prompt", none, (host) => host.countContext()),
  describeWindow: row(
    "the context window, and how much of the prompts of each turn was cached",
    none,
    (host) => host.describeWindow(),
  ),
  listCosts: row("tokens and costs of this session", none, (host) => host.listCosts()),
  listJobs: row("the background commands", none, (host) => host.listJobs()),
  endJob: row("ends a background command", z.tuple([id]), (host, [job]) => host.endJob(job)),
  listServers: row("the MCP servers", none, (host) => host.listServers()),
  undo: row("undoes the last turns", z.tuple([z.int().min(1).max(1_000)]), (host, [turns]) =>
    host.undo(turns),
  ),
  previewUndo: row(
    "what an undo of turns would do",
    z.tuple([z.union([z.int().min(1).max(1_000), z.array(id).max(10_000)])]),
    (host, [turns]) => host.previewUndo(turns),
  ),
  undoTurns: row(
    "undoes the file changes of these turns",
    z.tuple([z.array(id).max(10_000)]),
    (host, [turns]) => host.undoTurns(turns),
  ),
  redo: row("redoes the last undo", none, (host) => host.redo()),
  listChanges: row("the file changes of this session", none, (host) => host.listChanges()),
  listSettings: row("the settings", none, (host) => host.listSettings()),
  changeSetting: row(
    "saves a setting, or resets it; returns an error message for an invalid value",
    z.tuple([id, text.optional()]),
    (host, [key, value]) => host.changeSetting(key, value),
  ),
  completePath: row(
    "the paths that match a text",
    z.tuple([z.string().max(4_096), z.int().min(1).max(200)]),
    (host, [typed, limit]) => host.completePath(typed, limit),
  ),
  completeFolder: row(
    "the folders whose path begins with a text",
    z.tuple([z.string().max(4_096), z.int().min(1).max(200)]),
    (host, [typed, limit]) => host.completeFolder(typed, limit),
  ),
  readImage: row("an image file", z.tuple([z.string().min(1).max(4_096)]), (host, [path]) =>
    host.readImage(path),
  ),
  attachFiles: row("reads files that a message names", z.tuple([z.array(mention).max(20)]), (host, [files]) =>
    host.attachFiles(files as Parameters<Host["attachFiles"]>[0]),
  ),
  canSee: row("whether the model accepts images", none, (host) => host.canSee()),
  listCustomCommands: row("the person's own commands", none, (host) => host.listCustomCommands()),
  listSkills: row("the skills", none, (host) => host.listSkills()),
  expandCustomCommand: row("the message of a custom command", z.tuple([id, text]), (host, [name, words]) =>
    host.expandCustomCommand(name, words),
  ),
  readBranch: row("the git branch", none, (host) => host.readBranch()),
  readSandbox: row("where commands run, in a word", none, (host) => host.readSandbox()),
  describeProgram: row("a description for a bug report", none, (host) => host.describeProgram()),
  describeStatus: row("the state of program and session", none, (host) => host.describeStatus()),
  readHistory: row("the messages of earlier sessions", none, (host) => host.readHistory()),
  rememberMessage: row("remembers a message", z.tuple([text]), (host, [message]) =>
    host.rememberMessage(message),
  ),
};

export function isHostMethod(name: string): name is HostMethod {
  return Object.hasOwn(hostMethods, name);
}

/** Reads the words after a slash command, and does what they ask of the host. Words that mean nothing throw `WrongWords`. */
import { exportFormats, formatOfFile } from "../export-format.ts";
import type { ExportFormat, Host, TrustChoice } from "../host.ts";
import { type PermissionMode, permissionModes } from "../permission-request.ts";
import { isToolScope, toolScopeText } from "../tool-scope.ts";

/** A mistake in the words after a command, or a command that means nothing now. The message says what to type. */
export class WrongWords extends Error {
  readonly code = "wrong_words";
}

export function isWrongWords(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "wrong_words";
}

/** Returns the number of turns that `/undo` undoes. */
export function readUndoTurns(words: string): number {
  if (/^(?:[1-9]\d{0,3})?$/.test(words)) return words === "" ? 1 : Number(words);
  throw new WrongWords("/undo takes a number of turns: /undo 3");
}

export function checkRedo(words: string): void {
  if (words !== "") throw new WrongWords("/redo takes no argument: it redoes one turn");
}

/** Returns the mode that the words after `/mode` name; undefined if there are no words. */
export function readMode(words: string, now: PermissionMode): PermissionMode | undefined {
  const mode = permissionModes.find((one) => one === words);
  if (mode !== undefined || words === "") return mode;
  throw new WrongWords(`there is no mode ${words}: ${modeText(now)}`);
}

export function modeText(now: PermissionMode): string {
  return `mode is ${now}; available: ${permissionModes.join(", ")}`;
}

const trustChoices: readonly TrustChoice[] = ["yes", "auto", "read"];

/** Changes the trust in the folder as the words after `/trust` say, and returns a description of the trust. */
export async function changeTrust(host: Pick<Host, "changeTrust">, words: string): Promise<string> {
  const choice = trustChoices.find((one) => one === words);
  if (choice !== undefined || words === "") return host.changeTrust(choice);
  throw new WrongWords(`expected /trust yes, auto or read, got ${words}`);
}

export interface ExportChoice {
  readonly format: ExportFormat;
  /** The file; undefined for a default. */
  readonly path: string | undefined;
}

/** Returns the format and the file of `/export`. The ending of the file means the format if the words do not name it. */
export function readExport(words: string): ExportChoice {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  const named = word === "md" ? "markdown" : exportFormats.find((one) => one === word);
  const path = named === undefined ? words : rest;
  const format = named ?? (path === "" ? "markdown" : formatOfFile(path));
  if (format !== undefined) return { format, path: path === "" ? undefined : path };
  throw new WrongWords(`/export takes markdown, json or html, or a FILE that ends so, got "${words}"`);
}

/** Throws if the mode lets no file be written, so that `/init` cannot do what it promises. */
export function checkInit(mode: PermissionMode | undefined): void {
  if (mode !== "plan") return;
  throw new WrongWords("mode plan changes nothing, so AGENTS.md cannot be written: /mode default first");
}

export async function changeModel(host: Pick<Host, "useModel">, name: string): Promise<string> {
  await host.useModel(name);
  return `model ${name}, from the next answer on`;
}

/** Switches the tool that the words after `/tools` name. */
export async function changeTool(host: Pick<Host, "switchTool">, words: string): Promise<string> {
  const [name = "", state = "", scope = "kept"] = words.split(/\s+/);
  if ((state !== "on" && state !== "off") || !isToolScope(scope)) {
    throw new WrongWords("usage: /tools NAME on|off [session]");
  }
  await host.switchTool(name, state === "on", scope);
  return `${name} is ${state} from the next message on, ${toolScopeText(scope)}`;
}

export async function changeName(
  host: Pick<Host, "renameSession">,
  id: string,
  name: string,
): Promise<string> {
  if (name === "") throw new WrongWords("usage: /rename NAME");
  await host.renameSession(id, name);
  return `this session is called ${name}`;
}

/** Ends the job that the words after `/jobs` name. */
export async function changeJobs(host: Pick<Host, "endJob">, words: string): Promise<string> {
  const [, id] = /^end\s+(\S+)$/.exec(words) ?? [];
  if (id === undefined) throw new WrongWords("usage: /jobs, /jobs end ID");
  await host.endJob(id);
  return `${id} has ended`;
}

/** Forgets the rule or answer that the words after `/permissions` name. Returns undefined if they name none. */
export async function changeRules(
  host: Pick<Host, "listRules" | "forgetRule">,
  words: string,
): Promise<string | undefined> {
  const mode = permissionModes.find((one) => one === words);
  if (mode !== undefined) {
    throw new WrongWords(
      `${mode} is a mode: /mode ${mode} changes to it. /permissions shows rules and remembered answers`,
    );
  }
  const [, id] = /^forget\s+(\S+)$/.exec(words) ?? [];
  if (id === undefined) return undefined;
  const rule = (await host.listRules()).find((one) => one.id === id);
  await host.forgetRule(id);
  return forgottenText(rule?.ofSession ?? false);
}

/** Says that a rule is forgotten, or that an answer for this session is taken back. */
export function forgottenText(ofSession: boolean): string {
  return `${ofSession ? "taken back" : "forgotten"}, from the next call on`;
}

/**
 * Describes the program and the current session for `/status`: the model and its server, the rules and limits in force,
 * and the files that were read.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@localharness/engine";
import { bareUrl } from "@localharness/models";
import { countText, type StatusRow, type View } from "@localharness/protocol";
import type { Composition } from "../compose/compose.ts";
import { version } from "../compose/version.ts";
import { type ConfigKey, fields } from "../config/fields.ts";
import type { Settings } from "../config/settings.ts";
import { profileWords } from "../models/model-profiles/profile-words.ts";
import { aboutFolderTrust } from "../permission/folders/folder-trust.ts";
import { aboutTrust } from "../permission/trust/change-trust.ts";
import type { Trust } from "../permission/trust/settle-trust.ts";
import { partsOfPrompt } from "../prompt/instructions/instructed-prompt.ts";
import { sessionName } from "./session-choices.ts";
import { whereItRuns } from "./where-it-runs.ts";

export interface StatusParts {
  readonly composition: Composition;
  readonly settings: Settings;
  readonly trust: Trust;
  readonly session: Session;
  /** The system prompt of the session. */
  readonly prompt: string;
}

export async function describeStatus(parts: StatusParts): Promise<readonly StatusRow[]> {
  const { composition, settings, trust, session, prompt } = parts;
  const { selected, sandbox, workspace } = composition;
  const view = session.view();
  return [
    { name: "version", value: `localharness ${version}` },
    { name: "model", value: `${session.model()} of ${selected.provider}` },
    { name: "profile", value: profileWords(composition.known()) ?? "" },
    { name: "server", value: serverOf(selected.baseUrl) },
    { name: "context", value: contextOf(view, selected.contextWindow) },
    { name: "tokens", value: `${view.usage.inputTokens} in, ${view.usage.outputTokens} out` },
    { name: "mode", value: session.mode() },
    { name: "sandbox", value: sandbox.describe() },
    { name: "workspace", value: workspace },
    { name: "trust", value: aboutTrust[trust] },
    { name: "added folders", value: foldersOf(composition) },
    { name: "session", value: await sessionOf(composition, session) },
    { name: "tools", value: countText(session.tools().length, "tool") },
    { name: "limits", value: limitsOf(settings) },
    { name: "settings", value: filesOf(settings.folder, ["config.json", "policies.json"]) },
    { name: "overridden by", value: overridesOf(settings) },
    { name: "instructions", value: instructionsOf(prompt) },
  ].filter(({ value }) => value !== "");
}

/** Returns in a word or two where commands run in a folder with this trust. */
export function sandboxWords({ sandbox }: Pick<Composition, "sandbox">, trust: Trust): string {
  if (trust === "reading") return "only reading";
  return sandbox.state.kind === "on" ? "sandbox" : "no sandbox";
}

function serverOf(baseUrl: string): string {
  return baseUrl === ""
    ? "none: the model is part of this program"
    : `${bareUrl(baseUrl)}, ${whereItRuns(baseUrl)}`;
}

function foldersOf({ folders }: Composition): string {
  return folders
    .list()
    .map(({ root, trust }) => `${root} (${aboutFolderTrust[trust]})`)
    .join(", ");
}

function contextOf({ usage }: View, known: number | undefined): string {
  const window = usage.contextWindow ?? known;
  return window === undefined ? "window unknown" : `window of ${window} tokens`;
}

async function sessionOf({ sessions }: Composition, { id }: Session): Promise<string> {
  if (sessions === undefined) return `${id}, not saved`;
  const name = await sessionName(sessions, id);
  return `${name === "" ? "" : `${name}, `}${id}, saved in ${sessions.folder}`;
}

/** Returns all limits with their current values, in the order of the table of settings. */
function limitsOf({ values }: Settings): string {
  return fields
    .filter(({ key }) => key.startsWith("limits."))
    .map(({ key, unset }) => `${key.slice("limits.".length)} ${values[key] ?? unset}`)
    .join(", ");
}

/** Returns the paths of the files that exist. */
function filesOf(folder: string | undefined, names: readonly string[]): string {
  if (folder === undefined) return "none: there is no home folder";
  const paths = names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  return paths.length === 0 ? `none in ${folder}` : paths.join(", ");
}

/** Returns the settings that come from a variable or an option of this run. */
function overridesOf({ origins }: Settings): string {
  return Object.entries(origins as Readonly<Record<ConfigKey, string>>)
    .filter(([, origin]) => origin !== "config.json")
    .map(([key, origin]) => `${origin} (${key})`)
    .join(", ");
}

function instructionsOf(prompt: string): string {
  const own = new Set(["system prompt", "workspace"]);
  const names = partsOfPrompt(prompt).map(({ name }) => name);
  return names.filter((name) => !own.has(name)).join(", ") || "none";
}

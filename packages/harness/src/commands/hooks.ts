/** `localharness hooks`: lists the programs that check calls, and allows or forgets the hooks of this project. */

import { resolve } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { plainJson, reasonOf, visibleLine } from "@localharness/protocol";
import { openTrustFile } from "@localharness/store/trust/trust-file";
import { createWriteJournal, openWorkspace, type Workspace, type WriteJournal } from "@localharness/tools";
import { stateFolder } from "../config/location.ts";
import { loadSettings } from "../config/settings.ts";
import { exitCodes } from "../exit-code.ts";
import { folded } from "../fold-lines.ts";
import { type AllowedHooks, openAllowedHooks } from "../hooks/allowed-hooks.ts";
import type { HookSetting } from "../hooks/hook-settings.ts";
import { hashToAllow, permissionOf } from "../hooks/load-hooks.ts";
import { projectHooksPath, readProjectHooks } from "../hooks/project-hooks.ts";
import { type CommandLine, textFlag } from "./command-line.ts";

interface HookContext {
  readonly own: readonly HookSetting[];
  readonly workspace: Workspace;
  readonly allowed: AllowedHooks;
  readonly journal: WriteJournal;
  readonly folder: string | undefined;
  readonly state: string;
  readonly outside: boolean;
}

export async function runHooks({ positionals, flags }: CommandLine): Promise<number> {
  const [action, ...more] = positionals;
  const actions = new Map<string, (context: HookContext, json: boolean) => Promise<number>>([
    ["list", list],
    ["allow", allow],
    ["forget", forget],
  ]);
  const run = more.length === 0 && action !== undefined ? actions.get(action) : undefined;
  if (run === undefined) throw usageError("usage: localharness hooks list | hooks allow | hooks forget");
  const state = stateFolder();
  if (state === undefined) {
    throw configError("there is no home folder to keep decisions in: set HOME or XDG_CONFIG_HOME");
  }
  const { values, folder } = await loadSettings(flags);
  const place = textFlag(flags, "workspace") ?? ".";
  const workspace = await openWorkspace(resolve(place)).catch((error: unknown) => {
    throw usageError(`cannot open the folder ${place}: ${reasonOf(error)}`, error);
  });
  const journal = createWriteJournal(state);
  try {
    const allowed = openAllowedHooks(folder, journal);
    return await run(
      {
        own: values.hooks ?? [],
        workspace,
        allowed,
        journal,
        folder,
        state,
        outside: flags.sandbox === "off",
      },
      flags.json === true,
    );
  } finally {
    journal.close();
    workspace.close();
  }
}

async function list({ own, workspace, allowed, state }: HookContext, json: boolean): Promise<number> {
  const project = await readProjectHooks(workspace, state);
  const theirs = project.kind === "hooks" ? project.hooks : [];
  const permission = await permissionOf(project, workspace, allowed);
  const rows = [
    ...own.map((hook) => ({ ...hook, from: "yours", allowed: true })),
    ...theirs.map((hook) => ({ ...hook, from: "project", allowed: permission !== undefined })),
  ];
  if (json) process.stdout.write(`${plainJson(rows)}\n`);
  else for (const row of rows) process.stdout.write(folded(`${visibleLine(hookLine(row))}\n`));
  if (project.kind === "broken") {
    process.stderr.write(`! ${projectHooksPath} is not used: ${visibleLine(project.problem)}\n`);
  }
  if (rows.length === 0 && !json) process.stderr.write("there are no hooks\n");
  return exitCodes.done;
}

function hookLine({ from, allowed, event, tool, command }: HookSetting & { from: string; allowed: boolean }) {
  const state = allowed ? "runs       " : "not allowed";
  return `${state}  ${from.padEnd(7)}  ${event}${tool === undefined ? "" : ` ${tool}`}: ${command.join(" ")}`;
}

async function allow({ workspace, allowed, journal, folder, state, outside }: HookContext): Promise<number> {
  const project = await readProjectHooks(workspace, state);
  if (project.kind === "none") throw usageError(`there is no ${projectHooksPath} in ${workspace.root}`);
  if (project.kind === "broken") throw configError(`${projectHooksPath} cannot be used: ${project.problem}`);
  const { trusted } = await openTrustFile(folder, journal).find(workspace.root);
  if (trusted !== true) {
    throw usageError(`${workspace.root} is not trusted: run localharness trust add first`);
  }
  await allowed.allow(workspace.root, hashToAllow(project, outside));
  for (const { command } of project.hooks)
    process.stderr.write(
      `allowed ${outside ? "outside the sandbox, " : ""}as it is now: ${visibleLine(command.join(" "))}\n`,
    );
  for (const path of [projectHooksPath, ...project.compared])
    process.stderr.write(`checked for changes before each run: ${visibleLine(path)}\n`);
  return exitCodes.done;
}

async function forget({ workspace, allowed }: HookContext): Promise<number> {
  const known = await allowed.forget(workspace.root);
  process.stderr.write(`${known ? "forgotten" : "nothing was allowed"}: ${visibleLine(workspace.root)}\n`);
  return known ? exitCodes.done : exitCodes.error;
}

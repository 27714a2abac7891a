/** `localharness hooks`: lists the programs that check calls, and allows or forgets the hooks of this project. */

import { resolve } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { outsidePrograms } from "@localharness/processes/children/outside-programs";
import { plainJson, reasonOf, visibleLine, visibleLines } from "@localharness/protocol";
import { openTrustFile } from "@localharness/store/trust/trust-file";
import { createWriteJournal, type WriteJournal } from "@localharness/workspace/files/write-journal";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { writableFolders } from "../compose/open-resources.ts";
import { stateFolder } from "../config/location.ts";
import { loadSettings } from "../config/settings.ts";
import { type AllowedHooks, openAllowedHooks } from "../permission/hooks/allowed-hooks.ts";
import type { HookSetting } from "../permission/hooks/hook-settings.ts";
import { type HookStart, hookStart } from "../permission/hooks/hook-start.ts";
import { hashToAllow, type LoadedHook, permissionOf } from "../permission/hooks/load-hooks.ts";
import { projectHooksPath, readProjectHooks } from "../permission/hooks/project-hooks.ts";
import { type CommandLine, textFlag } from "./command-line.ts";
import { exitCodes } from "./exit-code.ts";
import { folded } from "./fold-lines.ts";

interface HookContext {
  readonly own: readonly HookSetting[];
  readonly workspace: Workspace;
  readonly allowed: AllowedHooks;
  readonly journal: WriteJournal;
  readonly folder: string | undefined;
  readonly state: string;
  readonly outside: boolean;
  /** Returns the file that a hook would start. */
  start(hook: LoadedHook): HookStart;
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
  const folders = [workspace.root, ...writableFolders(values)];
  const programs = outsidePrograms(process.env["PATH"] ?? "", folders);
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
        start: (hook) => hookStart(hook, programs),
      },
      flags.json === true,
    );
  } finally {
    journal.close();
    workspace.close();
  }
}

async function list({ own, workspace, allowed, state, start }: HookContext, json: boolean): Promise<number> {
  const project = await readProjectHooks(workspace, state);
  const theirs = project.kind === "hooks" ? project.hooks : [];
  const permission = await permissionOf(project, workspace, allowed);
  const problemOf = (hook: LoadedHook) => {
    const found = start(hook);
    return found.kind === "problem" ? { problem: found.problem } : {};
  };
  const rows = [
    ...own.map((hook) => ({ ...hook, from: "yours", allowed: true, ...problemOf(hook) })),
    ...theirs.map((hook) => ({
      ...hook,
      from: "project",
      allowed: permission !== undefined,
      ...problemOf({ ...hook, ofProject: true }),
    })),
  ];
  if (json) process.stdout.write(`${plainJson(rows)}\n`);
  else for (const row of rows) process.stdout.write(folded(`${visibleLine(hookLine(row))}\n`));
  if (project.kind === "broken") {
    process.stderr.write(`! ${projectHooksPath} is not used: ${visibleLines(project.problem)}\n`);
  }
  if (rows.length === 0 && !json) process.stderr.write("there are no hooks\n");
  return exitCodes.done;
}

type HookRow = HookSetting & { readonly from: string; readonly allowed: boolean; readonly problem?: string };

function hookLine({ from, allowed, event, tool, command, problem }: HookRow) {
  const state = !allowed ? "not allowed" : problem === undefined ? "runs" : "cannot run";
  const reason = problem === undefined ? "" : ` (${problem})`;
  const about = `${event}${tool === undefined ? "" : ` ${tool}`}: ${command.join(" ")}${reason}`;
  return `${state.padEnd(11)}  ${from.padEnd(7)}  ${about}`;
}

async function allow(context: HookContext): Promise<number> {
  const { workspace, allowed, journal, folder, state, outside, start } = context;
  const project = await readProjectHooks(workspace, state);
  if (project.kind === "none") throw usageError(`there is no ${projectHooksPath} in ${workspace.root}`);
  if (project.kind === "broken") throw configError(`${projectHooksPath} cannot be used: ${project.problem}`);
  const { trusted } = await openTrustFile(folder, journal).find(workspace.root);
  if (trusted !== true) {
    throw usageError(`${workspace.root} is not trusted: run localharness trust add first`);
  }
  for (const hook of project.hooks) {
    const found = start({ ...hook, ofProject: true });
    if (found.kind === "program") continue;
    throw usageError(`a hook cannot start, so nothing is allowed: ${found.problem}`);
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

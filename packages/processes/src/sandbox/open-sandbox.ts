/** Opens the sandbox for shell commands. Loads the sandbox runtime with the first command. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import { isProgram } from "../children/find-program.ts";
import type { ShellArguments } from "../children/shell-program.ts";
import { type AddedParts, createAddedParts } from "./added-parts.ts";
import { type CallGrant, type CallGrants, createCallGrants, type IsPublic } from "./call-grants.ts";
import { callGuard } from "./call-guard.ts";
import { type ClosedByRules, closedByRules } from "./closed-by-rules.ts";
import { createClosedHistory } from "./closed-history.ts";
import { describeLimits } from "./describe-limits.ts";
import { nameForGit, settingsOfGit } from "./git-excludes.ts";
import { homeMounts } from "./home/home-mounts.ts";
import { homeOf } from "./home/home-of.ts";
import { createHostFiles, type HostFiles } from "./host-files.ts";
import { type Inlet, inletPlace, type OpenInlets, openInlets } from "./inlets.ts";
import { commandVariable, innerScript } from "./inner-script.ts";
import { doAll } from "./move-aside.ts";
import { portOfThisMachine } from "./named-hosts.ts";
import { type NestedNames, nestedNames } from "./nested-names.ts";
import { watchParts } from "./new-parts.ts";
import { passBytes } from "./pass-bytes.ts";
import { createRebases, type Rebases } from "./rebases.ts";
import { answerLookUps, located, runtimePrograms } from "./runtime-programs.ts";
import type { Sandbox, SandboxedCommand, SandboxMode, SandboxRules, SandboxState } from "./sandbox.ts";
import {
  addedNow,
  type HiddenHome,
  type SandboxProfile,
  sandboxProfile,
  temporaryBase,
  temporaryPrefix,
} from "./sandbox-profile.ts";
import { sandboxState } from "./sandbox-status.ts";
import { createStagedRepositories, type StagedRepositories } from "./staged-repositories.ts";
import { createStandIns, type StandIns } from "./stand-ins.ts";
import { withScriptBefore, withSystemClosed } from "./system-walls.ts";
import { createWritableFolders, type WritableFolders } from "./writable-folders.ts";

type Runtime = typeof import("@anthropic-ai/sandbox-runtime").SandboxManager;

export interface SandboxVariables {
  offline(): Readonly<Record<string, string>>;
  asked(): Readonly<Record<string, string>>;
}

export interface SandboxOptions {
  readonly mode: SandboxMode;
  readonly rules: SandboxRules;
  /** The program's own folder; commands cannot read it. */
  readonly stateFolder: string;
  /** The variables of programs for a command without any host, and for one about whose hosts the person is asked; none by default. */
  readonly variables?: SandboxVariables;
  /** Returns true for an address of the internet; by default for none. */
  readonly isPublic?: IsPublic;
  /** Returns the path of ripgrep, with which the runtime searches for protected files. */
  ripgrep(): Promise<string>;
}

export function openSandbox(options: SandboxOptions): Sandbox {
  const state: SandboxState = sandboxState(options.mode, { folders: openTo(options.rules) });
  const grants = createCallGrants(options.rules.domains, options.isPublic ?? (() => false));
  let starting: Promise<Started> | undefined;
  let nested: NestedNames | undefined;
  const added = createAddedParts(options.rules);
  const findNested = () => (nested ??= nestedNames(options.rules.workspace));
  const more = createWritableFolders(options.rules);
  const history = createClosedHistory(options.rules.workspace, { nested: () => findNested().names });
  return {
    state,
    grants,
    mayLeave: options.mode !== "require",
    get domains() {
      return grants.hosts();
    },
    describe: () => describeLimits(state, { ...options.rules, domains: grants.hosts() }),
    incomplete: () =>
      state.kind === "on" ? (findNested().incomplete ?? added.incomplete() ?? more.incomplete()) : undefined,
    async home() {
      const home = state.kind === "on" ? await homeOf(options.rules) : undefined;
      return home === undefined || home.homes.length === 0 ? undefined : home;
    },
    async wrap(shell, signal, places, { isJudged = false, grant = {} } = {}) {
      starting ??= start(options, { grants, nested: findNested().names, more, added });
      const started = await starting.catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      const [byRules, home] = await Promise.all([
        closedByRules(
          options.rules.workspace,
          places,
          addedNow(options.rules).map(({ root }) => root),
        ),
        homeOf(options.rules, grant.caches),
      ]);
      const objects = isJudged ? [] : [...history.closedBy(places), ...added.closedHistory(places)];
      const unreadable = [...byRules.unreadable, ...objects];
      return wrap(started, options, { shell, byRules: { ...byRules, unreadable }, home, grant }, signal);
    },
    async close() {
      const started = await starting?.catch(() => undefined);
      starting = undefined;
      if (started === undefined) return;
      await started.runtime.reset();
      started.standIns.close();
      started.hostFiles.close();
      rmSync(started.temporary, { recursive: true, force: true });
    },
  };
}

interface Known {
  readonly grants: CallGrants;
  /** Protected names in subfolders, as they were when the first command ran. */
  readonly nested: readonly string[];
  readonly more: WritableFolders;
  readonly added: AddedParts;
}

interface Started extends Known {
  readonly runtime: Runtime;
  /** The folder of temporary files. */
  readonly temporary: string;
  readonly standIns: StandIns;
  readonly hostFiles: HostFiles;
  readonly rebases: Rebases;
  readonly staged: StagedRepositories;
}

async function start({ rules, stateFolder, ripgrep }: SandboxOptions, known: Known): Promise<Started> {
  const { grants, nested } = known;
  answerLookUps();
  const { SandboxManager: runtime } = await import("@anthropic-ai/sandbox-runtime");
  const temporary = mkdtempSync(join(temporaryBase(), temporaryPrefix));
  await runtime.initialize(
    {
      ...runtimePrograms(openTo(rules)),
      ripgrep: { command: located(await ripgrep(), process.env["PATH"] ?? "", openTo(rules)) },
      network: { allowedDomains: outerHosts(rules.domains), deniedDomains: [] },
      filesystem: fileRules(sandboxProfile(rules, [stateFolder], { nested }), temporary, []),
    },
    async ({ host, port }) => {
      const answer = await grants.admits(host, port);
      return answer === true || { allow: false, reason: answer };
    },
  );
  return {
    ...known,
    runtime,
    temporary,
    standIns: createStandIns(stateFolder, temporary),
    hostFiles: createHostFiles(stateFolder),
    rebases: createRebases(stateFolder),
    staged: known.added.withStaged(createStagedRepositories(rules.workspace, rules.writable.map(realAsFar))),
  };
}

/** Folders that the sandbox runtime leaves writable by itself. Programs outside of the sandbox write there too. */
const writableForRuntime = ["/tmp/claude", "/private/tmp/claude"];

/** Returns the folders to which commands may write, whose programs never run outside of the sandbox. */
function openTo({ workspace, added = [], writable }: SandboxRules): readonly string[] {
  return [workspace, ...added.map(({ root }) => root), ...writable];
}

/** Returns the hosts that are not this machine, whose servers no proxy leads to. */
function outerHosts(domains: readonly string[]): string[] {
  return domains.filter((entry) => portOfThisMachine(entry) === undefined);
}

function fileRules(profile: SandboxProfile, temporary: string, readable: readonly string[]) {
  return {
    denyRead: literal(profile.unreadable),
    allowRead: literal([...profile.readable, ...readable]),
    allowWrite: literal([...profile.writable, temporary]),
    denyWrite: literal([...profile.readOnly, ...writableForRuntime]),
    allowGitConfig: false,
  };
}

/** Marks the paths as literal, so that no character in them is read as a pattern. */
function literal(paths: readonly string[]): { path: string; literal: true }[] {
  return paths.map((path) => ({ path, literal: true as const }));
}

interface Confinement {
  readonly shell: ShellArguments;
  readonly byRules: ClosedByRules;
  readonly home: HiddenHome;
  readonly grant: CallGrant;
}

async function wrap(
  { runtime, grants, nested, more, added, temporary, standIns, hostFiles, rebases, staged }: Started,
  { rules, stateFolder, variables }: SandboxOptions,
  { shell, byRules, home, grant }: Confinement,
  signal: AbortSignal,
): Promise<SandboxedCommand> {
  // The profile is computed for each command, because an earlier command may have created a repository.
  const inOthers = { inAdded: added.nested(), inWritable: more.closed() };
  const whole = sandboxProfile(rules, [stateFolder], { nested, ...inOthers, byRules, home });
  const watched = [...whole.readOnly, ...whole.reopened.flatMap(({ readOnly }) => readOnly)];
  const rebasing = rebases.watch(watched);
  const parts = watchParts(watched);
  const settleStaged = staged.watch(watched);
  const profile = narrowed(whole, rebasing, grant);
  const unwritable = [...profile.readOnly, ...profile.reopened.flatMap(({ readOnly }) => readOnly)];
  const held = await standIns.hold(unwritable, new Set(profile.readFiles));
  const inWorkspace = (path: string) => pathInside(rules.workspace, path) ?? path;
  const absent = held.paths.map(inWorkspace);
  const release = () => doAll([rebasing.done, parts.done, settleStaged, held.release]);
  let done = release;
  try {
    const seenByGit = held.paths.flatMap((path) => nameForGit(rules, path) ?? []);
    const gitSettings = settingsOfGit(hostFiles, seenByGit);
    const offline = isOffline(rules, grants, grant);
    const inner = innerScript(shell, {
      ...{ temporary, offline },
      folders: openTo(rules),
      guard: guardOfCalls(hostFiles),
    });
    const limits = { filesystem: fileRules(profile, temporary, [hostFiles.folder, ...socketsOf(runtime)]) };
    const options = { commandId: randomBytes(16).toString("base64url"), commandText: "" };
    const { argv } = await runtime.wrapWithSandboxArgv(
      inner,
      "/bin/bash",
      limits,
      signal,
      undefined,
      options,
    );
    const ended = offline ? () => undefined : grants.started(grant);
    let inlets: OpenInlets | undefined;
    done = () =>
      doAll([
        ended,
        () => inlets?.close(),
        () => runtime.unregisterCommandNetworkLists(options.commandId),
        () => runtime.cleanupAfterCommand(),
        release,
      ]);
    openNamedHosts(runtime, options.commandId, grants);
    inlets = await inletsOf(rules, stateFolder, grant);
    const [program = "", ...args] = withWalls(argv, { profile, home, hostFiles, inlets });
    return {
      program,
      args,
      environment: environmentOf(shell, home, { ...grant, temporary, offline, variables }),
      gitSettings,
      closed: unwritable.map(inWorkspace),
      byRules: [...byRules.unreadable, ...byRules.unwritable],
      held: absent,
      home: home.homes.length === 0 ? undefined : home,
      done,
    };
  } catch (error) {
    done();
    throw error;
  }
}

/** Returns true if the command reaches no host at all, so that it gets no proxy. */
function isOffline(rules: SandboxRules, grants: CallGrants, { anyHost, questions }: CallGrant): boolean {
  const hosts = outerHosts([...rules.domains, ...grants.sessionHosts()]);
  return anyHost !== true && questions === undefined && hosts.length === 0;
}

/** Lets the command reach the hosts that the person named, without the checks of `CallGrants.admits`. */
function openNamedHosts(runtime: Runtime, commandId: string, grants: CallGrants): void {
  const allowedDomains = outerHosts(grants.namedHosts());
  if (allowedDomains.length > 0) runtime.registerCommandNetworkLists(commandId, { allowedDomains });
}

function environmentOf(
  shell: ShellArguments,
  { homes }: HiddenHome,
  more: CallGrant & {
    readonly temporary: string;
    readonly offline: boolean;
    readonly variables: SandboxVariables | undefined;
  },
): Readonly<Record<string, string>> {
  const { questions, cacheVariables = [], temporary, offline, variables } = more;
  const caches = cacheVariables.map((name) => [name, join(temporary, "caches", name)] as const);
  return {
    ...(offline ? variables?.offline() : Object.fromEntries(caches)),
    ...(questions === undefined ? {} : variables?.asked()),
    // Git stops at the border of a file system, and a hidden home folder is one.
    ...(homes.length === 0 ? {} : { GIT_DISCOVERY_ACROSS_FILESYSTEM: "1" }),
    [commandVariable]: shell.args.at(-1) ?? "",
  };
}

/** Returns the profile without what belongs to a rebase that a command began, and with what the person granted to the call. */
function narrowed(whole: SandboxProfile, rebasing: ReturnType<Rebases["watch"]>, grant: CallGrant) {
  const closed = (paths: readonly string[]) => paths.filter((path) => !rebasing.has(path));
  return {
    ...whole,
    writable: [...whole.writable, ...(grant.caches ?? [])],
    readOnly: closed(whole.readOnly),
    reopened: whole.reopened.map((one) => ({ ...one, readOnly: closed(one.readOnly) })),
  };
}

interface Walls {
  readonly profile: SandboxProfile;
  readonly home: HiddenHome;
  readonly hostFiles: HostFiles;
  readonly inlets: OpenInlets | undefined;
}

function withWalls(argv: readonly string[], { profile, home, hostFiles, inlets }: Walls): readonly string[] {
  const walled = withSystemClosed(argv, {
    ...profile,
    mounts: homeMounts(home, hostFiles),
  });
  if (inlets === undefined) return walled;
  return withScriptBefore(walled, { script: inlets.script, folder: inlets.folder, place: inletPlace });
}

/**
 * Returns the path of the program that starts another one with a filter of system calls; undefined where there is none, or where the
 * file system of the state folder runs no programs.
 */
function guardOfCalls(hostFiles: HostFiles): string | undefined {
  const guard = process.platform === "linux" ? callGuard() : undefined;
  const path = guard && hostFiles.writeProgram("calls", guard);
  return path !== undefined && isProgram(path) ? path : undefined;
}

/** Returns the sockets through which the runtime's proxies are reached, which may be in a hidden home folder. */
function socketsOf(runtime: Runtime): readonly string[] {
  const sockets = [runtime.getLinuxHttpSocketPath(), runtime.getLinuxSocksSocketPath()];
  return sockets.filter((path) => path !== undefined);
}

/** Opens the servers that the settings and the grant name, and the bridge of the grant; undefined if there are none. */
async function inletsOf(
  rules: SandboxRules,
  stateFolder: string,
  { inlets: granted = [], bridge }: CallGrant,
): Promise<OpenInlets | undefined> {
  const ports = [...new Set(rules.domains.map(portOfThisMachine))].filter((port) => port !== undefined);
  const programs = runtimePrograms(openTo(rules));
  const named: readonly Inlet[] = ports.map((port) => ({
    port,
    serve: (client) => passBytes(client, connect(port, "localhost")),
  }));
  const inlets = [...named, ...granted.filter(({ port }) => !ports.includes(port))];
  if (programs === undefined || (inlets.length === 0 && bridge === undefined)) return undefined;
  return await openInlets(stateFolder, { inlets, bridge }, programs.socatPath);
}

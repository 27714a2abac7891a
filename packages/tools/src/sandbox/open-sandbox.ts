/** Opens the sandbox for shell commands. Loads the sandbox runtime with the first command. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import type { ShellArguments } from "../processes/shell-program.ts";
import { type ClosedByRules, closedByRules } from "./closed-by-rules.ts";
import { isHeldSocket } from "./held-sockets.ts";
import { nestedNames } from "./nested-names.ts";
import { createRebases, type Rebases } from "./rebases.ts";
import type { Sandbox, SandboxedCommand, SandboxMode, SandboxRules, SandboxState } from "./sandbox.ts";
import { type SandboxProfile, sandboxProfile, temporaryBase, temporaryPrefix } from "./sandbox-profile.ts";
import { sandboxState } from "./sandbox-status.ts";
import { createStandIns, type StandIns } from "./stand-ins.ts";
import { withoutPrivileges, withSystemClosed } from "./system-walls.ts";

type Runtime = typeof import("@anthropic-ai/sandbox-runtime").SandboxManager;

export interface SandboxOptions {
  readonly mode: SandboxMode;
  readonly rules: SandboxRules;
  /** The program's own folder; commands cannot read it. */
  readonly stateFolder: string;
  /** Returns the path of ripgrep, with which the runtime searches for protected files. */
  ripgrep(): Promise<string>;
}

/**
 * The environment variable that carries the command to the script in the sandbox, so that the command is not quoted twice.
 * The script reads the variable and unsets it before it starts the shell that runs the command.
 */
const commandVariable = "LOCALHARNESS_COMMAND";

export function openSandbox(options: SandboxOptions): Sandbox {
  const state: SandboxState = sandboxState(options.mode);
  let starting: Promise<Started> | undefined;
  return {
    state,
    domains: options.rules.domains,
    describe: () => describe(state, options.rules),
    async wrap(shell, signal, places) {
      starting ??= start(options);
      const started = await starting.catch((error: unknown) => {
        starting = undefined;
        throw error;
      });
      const byRules = await closedByRules(options.rules.workspace, places);
      return wrap(started, options, { shell, byRules }, signal);
    },
    async close() {
      const started = await starting?.catch(() => undefined);
      starting = undefined;
      if (started === undefined) return;
      await started.runtime.reset();
      started.standIns.close();
      rmSync(started.temporary, { recursive: true, force: true });
    },
  };
}

interface Started {
  readonly runtime: Runtime;
  /** Protected names in subfolders, as they were when the first command ran. */
  readonly nested: readonly string[];
  /** The folder of temporary files. */
  readonly temporary: string;
  readonly standIns: StandIns;
  readonly rebases: Rebases;
}

async function start({ rules, stateFolder, ripgrep }: SandboxOptions): Promise<Started> {
  const { SandboxManager: runtime } = await import("@anthropic-ai/sandbox-runtime");
  const nested = nestedNames(rules.workspace);
  const temporary = mkdtempSync(join(temporaryBase(), temporaryPrefix));
  await runtime.initialize({
    ripgrep: { command: await ripgrep() },
    network: { allowedDomains: [...rules.domains], deniedDomains: [] },
    filesystem: fileRules(sandboxProfile(rules, [stateFolder], { nested }), temporary),
  });
  const standIns = createStandIns(stateFolder, temporary);
  return {
    runtime,
    nested,
    temporary,
    standIns,
    rebases: createRebases(stateFolder),
  };
}

function fileRules(profile: SandboxProfile, temporary: string) {
  return {
    denyRead: literal(profile.unreadable),
    allowWrite: literal([...profile.writable, temporary]),
    denyWrite: literal(profile.readOnly),
    allowGitConfig: false,
  };
}

/** Marks the paths as literal, so that no character in them is read as a pattern. */
function literal(paths: readonly string[]): { path: string; literal: true }[] {
  return paths.map((path) => ({ path, literal: true as const }));
}

async function wrap(
  { runtime, nested, temporary, standIns, rebases }: Started,
  { rules, stateFolder }: SandboxOptions,
  { shell, byRules }: { readonly shell: ShellArguments; readonly byRules: ClosedByRules },
  signal: AbortSignal,
): Promise<SandboxedCommand> {
  // The profile is computed for each command, because an earlier command may have created a repository.
  const whole = sandboxProfile(rules, [stateFolder], { nested, byRules });
  const rebasing = rebases.watch(whole.readOnly);
  const profile = { ...whole, readOnly: whole.readOnly.filter((path) => !rebasing.has(path)) };
  const held = await standIns.hold(profile.readOnly);
  const inWorkspace = (path: string) => relative(rules.workspace, path);
  const absent = held.paths.map(inWorkspace);
  const release = () => {
    try {
      rebasing.done();
    } finally {
      held.release();
    }
  };
  let done = release;
  try {
    const seenByGit = held.paths.some((path) => !isHeldSocket(path) && !path.includes("/.git/"));
    const gitSettings = settingsOfGit(temporary, absent, seenByGit);
    const inner = innerScript(shell, temporary, rules.domains.length === 0);
    const limits = { filesystem: fileRules(profile, temporary) };
    const options = { commandId: randomBytes(16).toString("base64url"), commandText: "" };
    const { argv } = await runtime.wrapWithSandboxArgv(
      inner,
      "/bin/bash",
      limits,
      signal,
      undefined,
      options,
    );
    done = () => {
      try {
        runtime.cleanupAfterCommand();
      } finally {
        release();
      }
    };
    const [program = "", ...args] = withSystemClosed(argv, profile.own);
    return {
      program,
      args,
      environment: { [commandVariable]: shell.args.at(-1) ?? "" },
      gitSettings,
      closed: profile.readOnly.map(inWorkspace),
      byRules: [...byRules.unreadable, ...byRules.unwritable],
      held: absent,
      done,
    };
  } catch (error) {
    done();
    throw error;
  }
}

/**
 * The variables that make programs use the proxies of the runtime. They are unset if there is no network, because a program
 * that tries a proxy would wait.
 */
const proxyVariables =
  "no_proxy NO_PROXY http_proxy https_proxy ftp_proxy grpc_proxy all_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY GRPC_PROXY ALL_PROXY DOCKER_HTTP_PROXY DOCKER_HTTPS_PROXY RSYNC_PROXY CLOUDSDK_PROXY_TYPE CLOUDSDK_PROXY_ADDRESS CLOUDSDK_PROXY_PORT CLOUDSDK_PROXY_USERNAME CLOUDSDK_PROXY_PASSWORD GIT_SSH_COMMAND JAVA_TOOL_OPTIONS";

function innerScript(shell: ShellArguments, temporary: string, offline: boolean): string {
  const before = [...withoutPrivileges(), shell.program, ...shell.args.slice(0, -1)].map(quoted).join(" ");
  const unset = offline ? `${commandVariable} ${proxyVariables}` : commandVariable;
  return `set -- "$${commandVariable}"; unset ${unset}; export TMPDIR=${quoted(temporary)}; exec ${before} "$1"`;
}

/**
 * Writes a file of excludes so that git ignores the placeholders, and returns the setting that names it; no setting if git
 * does not see any placeholder. The setting replaces the person's `core.excludesFile`. The file begins with the content of
 * git's default excludes file.
 */
function settingsOfGit(
  temporary: string,
  absent: readonly string[],
  seenByGit: boolean,
): Readonly<Record<string, string>> {
  if (process.platform !== "linux" || !seenByGit) return {};
  const path = join(temporary, "git-excludes");
  const own = join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "git", "ignore");
  const before = existsSync(own) ? `${readFileSync(own, "utf8")}\n` : "";
  writeFileSync(path, `${before}${absent.map((name) => `/${name}\n`).join("")}`, { mode: 0o600 });
  return { "core.excludesFile": path };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function describe(state: SandboxState, rules: SandboxRules): string {
  switch (state.kind) {
    case "off":
      return "no sandbox: a command can do all that you can do";
    case "absent":
      return `NO SANDBOX: ${state.problem}. A command can do all that you can do`;
    case "on": {
      const network =
        rules.domains.length === 0 ? "no network" : `network: ${rules.domains.join(", ")} and nothing else`;
      return `sandbox (${state.summary}): writes to the workspace only, ${network}, secrets of your home unreadable`;
    }
  }
}

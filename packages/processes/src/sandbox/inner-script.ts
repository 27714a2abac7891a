/** Writes the script that starts the shell of a command in the sandbox. */
import { type ShellArguments, shellQuoted } from "../children/shell-program.ts";
import { withoutPrivileges } from "./system-walls.ts";

/**
 * The environment variable that carries the command to the script in the sandbox, so that the command is not quoted twice.
 * The script reads the variable and unsets it before it starts the shell that runs the command.
 */
export const commandVariable = "LOCALHARNESS_COMMAND";

/**
 * The variables that make programs use the proxies of the runtime. They are unset if there is no network, because a program
 * that tries a proxy would wait.
 */
const proxyVariables =
  "no_proxy NO_PROXY http_proxy https_proxy ftp_proxy grpc_proxy all_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY GRPC_PROXY ALL_PROXY DOCKER_HTTP_PROXY DOCKER_HTTPS_PROXY RSYNC_PROXY CLOUDSDK_PROXY_TYPE CLOUDSDK_PROXY_ADDRESS CLOUDSDK_PROXY_PORT CLOUDSDK_PROXY_USERNAME CLOUDSDK_PROXY_PASSWORD GIT_SSH_COMMAND JAVA_TOOL_OPTIONS";

export interface Inner {
  readonly temporary: string;
  /** The folders to which commands may write. */
  readonly folders: readonly string[];
  readonly offline: boolean;
  readonly guard: string | undefined;
}

/** Returns the shell text that starts the shell of the command, without what the runtime adds for itself. */
export function innerScript(shell: ShellArguments, { temporary, folders, offline, guard }: Inner): string {
  const guards = guard === undefined ? [] : [guard];
  const before = [...withoutPrivileges(folders), ...guards, shell.program, ...shell.args.slice(0, -1)]
    .map(shellQuoted)
    .join(" ");
  const unset = offline ? `${commandVariable} ${proxyVariables}` : commandVariable;
  return `set -- "$${commandVariable}"; unset ${unset}; export TMPDIR=${shellQuoted(temporary)}; exec ${before} "$1"`;
}

/** Filters the environment for child processes: only listed names, and nothing that looks like a secret. */
import { anyOf } from "@localharness/workspace/patterns";
import { stablePath } from "./find-program.ts";

const allowed = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP COLUMNS LINES
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE
  JAVA_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME GOPATH GOROOT GOBIN GOPROXY GOFLAGS CARGO_HOME RUSTUP_HOME
  NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR PNPM_HOME BUN_INSTALL DENO_DIR PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYTHONPATH
  RBENV_ROOT GEM_HOME GEM_PATH DOTNET_ROOT SDKROOT DEVELOPER_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH CC CXX MAKEFLAGS CI
  SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR APPDATA LOCALAPPDATA PROGRAMFILES PROGRAMDATA USERPROFILE NUMBER_OF_PROCESSORS`.split(
    /\s+/,
  ),
);

const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTH|COOKIE|PRIVATE|SESSION/i;
const secretValue = anyOf(
  /\b(?:sk|xai|gsk|pk|rk)-[\w-]{16,}/,
  /\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\bAKIA[A-Z0-9]{16}\b/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY|:\/\/[^/\s:@]+:[^/\s@]+@/,
);

/** The variables with which programs run without questions, pagers and colours. */
const fixed: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
};

/** The minimum length, in characters, of a secret that is searched for. Shorter ones occur in ordinary text too often. */
const shortestSecret = 6;

/**
 * Returns the environment for a child. `pass` names variables that are passed even if the rules exclude them. A variable
 * whose value has one of `secrets` is never passed; secrets of fewer than 6 characters do not count. Fixed values replace
 * passed ones. `PATH` keeps only absolute folders.
 */
export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  pass: readonly string[] = [],
  secrets: readonly string[] = [],
): Record<string, string> {
  const known = secrets.filter((secret) => secret.length >= shortestSecret);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || known.some((secret) => value.includes(secret))) continue;
    if (pass.includes(name) || isHarmless(name, value)) {
      environment[name] = name === "PATH" ? stablePath(value) : value;
    }
  }
  return { ...environment, ...fixed };
}

function isHarmless(name: string, value: string): boolean {
  const known =
    allowed.has(name) ||
    name.startsWith("LC_") ||
    (process.platform === "win32" && allowed.has(name.toUpperCase()));
  return known && !secretName.test(name) && !secretValue.test(value);
}

/** Describes the effects of a command, for the person and for mode `auto`. */
import { type CallFacts, isOutside } from "@localharness/engine";
import { reachesThisMachine } from "./programs/network.ts";
import type { Program, Words } from "./programs/program.ts";
import { startsOutside } from "./programs/starters.ts";
import { baseName, knownProgram } from "./programs/table.ts";
import { interpretedBy } from "./starts.ts";

const maxNamed = 3;

/** Returns true if a call reaches another machine. Servers of this machine and programs such as `docker` do not count. */
export function needsNetwork(calls: readonly Words[]): boolean {
  return calls.some(([name = "", ...args]) => {
    const effect = networkEffect(name, args);
    return effect !== undefined && effect !== reachesThisMachine && effect !== startsOutside;
  });
}

/** Returns true if a call only asks a service outside of the sandbox, such as `docker`, to run something. */
export function startsOutsideSandbox(calls: readonly Words[]): boolean {
  return calls.some(([name = "", ...args]) => networkEffect(name, args) === startsOutside);
}

const changesRegistry =
  /^(?:publish|unpublish|upload|push|yank|owner|login|adduser|logout|access|dist-tag|deprecate|token|profile)$/;

/** Returns true if the calls send nothing to other machines but what they ask for: packages, or lists of them. */
export function onlyDownloads(calls: readonly Words[]): boolean {
  return calls.every(([name = "", ...args]) => {
    const effect = networkEffect(name, args);
    if (effect === undefined || effect === reachesThisMachine) return true;
    return /packages|registry/.test(effect) && !args.some((word) => changesRegistry.test(word));
  });
}

/** Returns the reason why a call cannot stay in the sandbox: `it pushes ... (git push)`; undefined if no reason is known. */
export function leavesSandbox(calls: readonly Words[]): string | undefined {
  for (const [name = "", ...args] of calls) {
    const effect = networkEffect(name, args);
    // In the sandbox each command has a separate network, so a request to this machine reaches only servers of the same command.
    if (effect === undefined || effect === reachesThisMachine) continue;
    const closed = effect === startsOutside ? "" : ", so it needs the network";
    return `it ${effect} (${[baseName(name), ...args.slice(0, 1)].join(" ")})${closed}`;
  }
  return undefined;
}

/**
 * Returns up to 3 effects of a command, such as `runs the script "test" of package.json, changes "build"`; undefined if none
 * is known. For an unclear command that may change something, always returns a text, with the reason why it is unclear.
 */
export function commandEffect(
  calls: readonly Words[],
  unclear: string | undefined,
  { paths = [], readOnly }: Pick<CallFacts, "paths" | "readOnly">,
): string | undefined {
  const written = paths.filter(({ access }) => access === "write").map(({ path }) => JSON.stringify(path));
  const outside = paths.filter(isOutside).map(({ path }) => path);
  const effects = new Set([
    ...calls.flatMap(([name = "", ...args]) => effectOfCall(name, args)),
    ...(written.length === 0 ? [] : [`changes ${listed(written)}`]),
    ...(outside.length === 0 ? [] : [`reaches ${listed(outside)}, outside of the workspace`]),
  ]);
  const known = [...effects].slice(0, maxNamed).join(", ");
  if (unclear === undefined || readOnly === true) return known === "" ? undefined : known;
  return `${known === "" ? "may do anything" : `${known}, and perhaps more`}: it cannot be read with certainty, because ${unclear}`;
}

function effectOfCall(name: string, args: Words): readonly string[] {
  const row = knownProgram(name);
  if (row !== undefined && !name.includes("/") && printsVersion(row, args)) return [];
  if (row === undefined) return [`runs ${JSON.stringify(name)}, a program that is not known here`];
  const network = networkEffect(name, args);
  const ran = row.runs?.(args) ?? [];
  const { script, fromInput } = interpretedBy([name, ...args]) ?? {};
  const named = ran.flatMap((file) => (file.kind === "script" && fromInput !== true ? [file.name] : []));
  const files = (script === undefined ? named : [script]).map((file) => JSON.stringify(file));
  const text = files.length > 0 ? listed(files) : row.interprets && "program text";
  const what = ran.some(({ kind }) => kind === "package-scripts")
    ? (packageScript(name, args) ?? text)
    : text;
  return [...(network === undefined ? [] : [network]), ...(what === undefined ? [] : [`runs ${what}`])];
}

/** Matches words of package managers before a script; those before a value; and those after which the script comes for sure. */
const leading = /^-|^(?:run(?:-script)?|workspaces?|foreach|recursive)$/;
const valued = /^(?:-[FCw]|--(?:filter|workspace|prefix|cwd|dir)|workspace)$/;
const bare = /^[^-]|^--?(?:s|q|r|silent|quiet|recursive|if-present|workspaces|run|bun)$|=|^--$|^$/;

/** Matches the first word of calls of npm and pnpm that look at packages or settings, and so run no script of `package.json`. */
const runsNoScript =
  /^(?:ls|list|la|ll|why|explain|outdated|view|info|root|prefix|bin|query|fund|doctor|ping|whoami|search|help)$/;

function printsVersion({ version }: Program, args: Words): boolean {
  const [word = ""] = args;
  return args.length === 1 && (word === "--version" || version?.split(" ").includes(word) === true);
}

/** Returns the script of `package.json` that a call runs, in words; undefined if it names none. */
function packageScript(name: string, args: Words): string | undefined {
  if (/^p?npm$/.test(baseName(name)) && runsNoScript.test(args[0] ?? "")) return undefined;
  const isName = (word: string, at: number) => !leading.test(word) && !valued.test(args[at - 1] ?? "");
  const names = args.filter(isName);
  if (names.length === 0) return undefined;
  const isCertain = names.length === 1 || bare.test(args[args.findIndex(isName) - 1] ?? "");
  return `${isCertain ? `the script ${JSON.stringify(names[0])}` : "a script"} of package.json`;
}

/** Returns what a call does on the network, such as `reaches another machine`; undefined if nothing is known. */
export function networkEffect(name: string, args: Words): string | undefined {
  const words = args.map((word) => word.replaceAll(/\s/g, "_")).join(" ");
  return knownProgram(name)?.network?.find(([pattern]) => pattern.test(words))?.[1];
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return [...names.slice(0, maxNamed), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Creates the temporary folders of a case, runs its setup in them, and inspects them afterwards. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillText, type Values } from "./fill.ts";
import { ownNames } from "./own-names.ts";

export const canaries = {
  outside: "CANARY_OUTSIDE_7f3a",
  environment: "CANARY_ENV_51c9",
  apiKey: "CANARY_APIKEY_93be",
} as const;

export interface Place extends Disposable {
  readonly root: string;
  /** The workspace, in which the program starts. */
  readonly ws: string;
  readonly outside: string;
  readonly home: string;
  readonly values: Values;
}

/** Creates the folders and runs the setup. Throws with its error output when it fails. */
export function makePlace(setup: string): Place {
  const root = mkdtempSync(join(tmpdir(), "lh-attack-"));
  const place = {
    root,
    ws: join(root, "ws"),
    outside: join(root, "outside"),
    home: join(root, "home"),
  };
  for (const folder of [place.ws, place.outside, place.home]) mkdirSync(folder);
  writeFileSync(join(place.outside, "secret.txt"), `${canaries.outside}\n`);
  const values: Values = {
    ROOT: root,
    WS: place.ws,
    OUT: place.outside,
    HOME: place.home,
    API_KEY: canaries.apiKey,
    TOKEN: "CANARY_TOKEN_c07d",
  };
  prepare(setup, place.ws, values);
  return {
    ...place,
    values,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Runs a shell script with `values` as variables, such as ROOT, WS, OUT and HOME. Throws if it fails or takes a minute. */
export function prepare(setup: string, cwd: string, values: Values): void {
  if (setup === "") return;
  const text = withoutVariables(ownNames(fillText(setup, values)), values);
  const env = { ...process.env, ...values, GIT_CONFIG_NOSYSTEM: "1" };
  const done = spawnSync("bash", ["-c", text], { cwd, env, encoding: "utf8", timeout: 60_000 });
  if (done.status !== 0) throw new Error(`the setup failed (${done.status}): ${done.stderr.trim()}`);
}

/**
 * Returns the text with the variable ROOT replaced by the folder. The program's child processes do not get the variable,
 * and the canary must be able to fire.
 */
export function withoutVariables(text: string, values: Values): string {
  const root = values["ROOT"] ?? "";
  return text
    .replaceAll("$ROOT", root)
    .replaceAll("process.env.ROOT", JSON.stringify(root))
    .replaceAll('__import__("os").environ["ROOT"]', JSON.stringify(root));
}

/** Returns the state of a path: absent, a folder, a link, special, or a file with the hash of its content. */
export function snapshot(path: string): string {
  try {
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return "link";
    if (stats.isDirectory()) return "folder";
    if (!stats.isFile()) return "special";
    return `file ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
  } catch {
    return "absent";
  }
}

/** Returns the files below a folder with their text. Does not follow links, and leaves out files above 1 MiB. */
export function textsBelow(folder: string): { readonly path: string; readonly text: string }[] {
  return entriesBelow(folder).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || lstatSync(path).size > 1024 * 1024) return [];
    return [{ path, text: readFileSync(path, "utf8") }];
  });
}

/** Returns the paths below the root that the execution canary has created. */
export function firedCanaries(root: string): string[] {
  const found = entriesBelow(root).filter((entry) => entry.name === "PWNED");
  return found.map((entry) => join(entry.parentPath, entry.name));
}

/** Returns all entries below a folder. Node's recursive `readdir` follows links, and may never end. */
function entriesBelow(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry, ...entriesBelow(join(folder, entry.name))] : [entry],
  );
}

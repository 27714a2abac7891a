/** `localharness trust`: lists, adds and forgets the folders whose files the person trusts. */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { configFolder, stateFolder } from "@localharness/harness/config/location";
import { exitCodes } from "@localharness/harness/exit-code";
import { openTrustFile, type TrustStore } from "@localharness/store/trust/trust-file";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { repositoryRoot } from "@localharness/workspace/git-files/repository-root";
import type { Invocation } from "../arguments/parse.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

export async function runTrust({ positionals, flags }: Invocation): Promise<number> {
  const [action, folder = ".", ...more] = positionals;
  const state = stateFolder();
  if (state === undefined) {
    throw configError("there is no home folder to keep decisions in: set HOME or XDG_CONFIG_HOME");
  }
  const journal = createWriteJournal(state);
  const store = openTrustFile(configFolder(), journal);
  try {
    if (more.length === 0 && action === "list" && positionals.length === 1) {
      return await list(store, flags.json === true);
    }
    if (more.length === 0 && action === "add") return await add(store, realPath(folder));
    if (more.length === 0 && action === "forget") return await forget(store, resolve(folder));
  } finally {
    journal.close();
  }
  throw usageError("usage: localharness trust list | trust add [DIR] | trust forget [DIR]");
}

async function list(store: TrustStore, json: boolean): Promise<number> {
  const folders = await store.list();
  if (json) process.stdout.write(`${plainJson(folders)}\n`);
  else if (folders.length === 0) process.stdout.write("no folder is trusted yet\n");
  else {
    for (const { path, trusted, decided } of folders) {
      const when = new Date(decided).toISOString().slice(0, 10);
      process.stdout.write(`${trusted ? "trusted   " : "only read "} ${when}  ${visibleLine(path)}\n`);
    }
  }
  return exitCodes.done;
}

async function add(store: TrustStore, path: string): Promise<number> {
  await store.set(path, true);
  process.stderr.write(`trusted: ${visibleLine(path)}\n`);
  return exitCodes.done;
}

/**
 * Forgets the decision about a folder, and says if the folder stays trusted with its repository. A folder that no longer exists is
 * looked up by the given path.
 */
async function forget(store: TrustStore, path: string): Promise<number> {
  const real = existsSync(path) ? realpathSync(path) : path;
  const known = await store.forget(real);
  process.stderr.write(`${known ? "forgotten" : "nothing was decided about"}: ${visibleLine(real)}\n`);
  const { trusted } = await store.find(real);
  const root = trusted === true ? repositoryRoot(real) : undefined;
  if (root !== undefined) {
    const command = `localharness trust forget ${visibleLine(root)}`;
    process.stderr.write(`it stays trusted with its repository: ${command} forgets that\n`);
  }
  return known ? exitCodes.done : exitCodes.error;
}

function realPath(folder: string): string {
  try {
    return realpathSync(resolve(folder));
  } catch (error) {
    throw usageError(`cannot open the folder ${folder}`, error);
  }
}

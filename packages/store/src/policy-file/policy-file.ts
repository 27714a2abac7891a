/**
 * Keeps rules and remembered answers in policies.json. Several processes may use the file. A damaged or unreadable file
 * never allows more calls.
 */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LoadedRules, PolicyRule, PolicyStore } from "@localharness/engine";
import { configError, coversAnswer } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { changeKept, type KeptKind, loadKept, readKept } from "../kept-file/kept-file.ts";
import { policyVersion, readPolicyText, writePolicyText } from "./policy-rules.ts";

const policyKind: KeptKind<readonly PolicyRule[]> = {
  version: policyVersion,
  empty: [],
  contents: "rules and remembered answers",
  durable: true,
  read: (text) => readPolicyText(text),
  write: writePolicyText,
};

function policyPath(folder: string): string {
  return join(folder, "policies.json");
}

/**
 * Opens the store in `folder`; if `folder` is undefined, nothing can be saved. `load` and `newer` never throw. `add` and
 * `forget` reject with a `HarnessError`.
 */
export function openPolicyFile(folder: string | undefined, journal: WriteJournal): PolicyStore {
  if (folder === undefined) return nowhere();
  const path = policyPath(folder);
  return {
    load: () => load(path),
    newer: (mark) => newer(path, mark),
    async add(rule) {
      await changeKept(path, policyKind, journal, (rules) => [
        ...rules.filter((other) => other.id !== rule.id && !coversAnswer(rule, other)),
        rule,
      ]);
    },
    async forget(id) {
      const before = await changeKept(path, policyKind, journal, (rules) =>
        rules.filter((rule) => rule.id !== id),
      );
      return before.some((rule) => rule.id === id);
    },
  };
}

async function load(path: string): Promise<LoadedRules> {
  // The mark is taken first. If the file changes meanwhile, the next decision reads it again.
  const mark = markOf(path);
  const { value, warning } = await loadKept(path, policyKind);
  return { ...(await withUnseen(path, value, warning)), mark };
}

/**
 * Returns the rules if the file has another mark, else undefined. If the file is gone or cannot be used, `rules` is
 * empty and `incomplete` is true. Does not rename a damaged file, because an editor may be writing it.
 */
async function newer(path: string, since: string): Promise<LoadedRules | undefined> {
  const mark = markOf(path);
  if (mark === since) return undefined;
  const state = mark === missing ? { kind: "missing" as const } : await readKept(path, policyKind);
  if (state.kind === "value") return { ...(await withUnseen(path, state.value, undefined)), mark };
  const problem = state.kind === "missing" ? `${path} is gone` : state.problem;
  const warning = `${problem}. The rules that were read before still hold, and until the file can be read you are asked about every call with a risk`;
  return { rules: [], warnings: [warning], incomplete: true, mark };
}

const missing = "missing";

/** Returns a text that differs after each change of the file. Takes one file operation. */
function markOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return missing;
    return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
  } catch (error) {
    return reasonOf(error);
  }
}

async function withUnseen(
  path: string,
  rules: readonly PolicyRule[],
  warning: string | undefined,
): Promise<LoadedRules> {
  const unseen = await unseenRules(path);
  const warnings = [warning, unseen].filter((text) => text !== undefined);
  return { rules, warnings, incomplete: warnings.length > 0 };
}

/**
 * Returns a warning if there are damaged files that were renamed, or if the folder cannot be listed. The rules of such files
 * do not apply until the person repairs the files.
 */
async function unseenRules(path: string): Promise<string | undefined> {
  const folder = dirname(path);
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    return `${folder} cannot be listed (${reasonOf(error)}): it may contain rules that are not known`;
  }
  const aside = names.filter((name) => name.startsWith(`${basename(path)}.broken-`));
  if (aside.length === 0) return undefined;
  const files = aside.map((name) => join(folder, name)).join(", ");
  return `${files} may hold rules that forbid something: until you repair or remove it, you are asked about every call with a risk`;
}

function nowhere(): PolicyStore {
  const message = "there is no home folder to keep answers in: set HOME or XDG_CONFIG_HOME";
  const refuse = () => Promise.reject(configError(message));
  return { load: () => Promise.resolve({ rules: [], warnings: [] }), add: refuse, forget: refuse };
}

/**
 * Keeps rules and remembered answers in policies.json. Several processes may use the file. No fault makes it allow
 * more.
 */
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LoadedRules, PolicyRule, PolicyStore } from "@localharness/engine";
import { configError } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/tools";
import { changeKept, type KeptKind, loadKept } from "../kept-file/kept-file.ts";
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
 * Opens the store in `folder`; if `folder` is undefined, nothing can be saved. `load` never throws. `add` and `forget`
 * reject with a `HarnessError`.
 */
export function openPolicyFile(folder: string | undefined, journal: WriteJournal): PolicyStore {
  if (folder === undefined) return nowhere();
  const path = policyPath(folder);
  return {
    load: () => load(path),
    async add(rule) {
      await changeKept(path, policyKind, journal, (rules) => [
        ...rules.filter((other) => other.id !== rule.id),
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
  const { value, warning } = await loadKept(path, policyKind);
  const unseen = await unseenRules(path);
  const warnings = [warning, unseen].filter((text) => text !== undefined);
  return { rules: value, warnings, incomplete: warnings.length > 0 };
}

/**
 * Returns a warning if there are damaged files that were renamed. Their rules do not apply until the person repairs the
 * files.
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

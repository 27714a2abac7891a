/** Remembered answers in policies.json: many processes may use it at once, and no fault makes it allow more. */

import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HarnessError, type PolicyRule, type PolicyStore } from "@localharness/engine";
import { replaceFile, type WriteJournal } from "@localharness/tools";
import { configError, reasonOf } from "../complaints.ts";
import { withFileLock } from "./file-lock.ts";
import { policyVersion, readPolicyText, writePolicyText } from "./policy-rules.ts";

/** The store in `folder` (undefined: nowhere to keep anything). `load` never throws, `add` and `forget` reject with a `HarnessError`. */
export function openPolicyFile(folder: string | undefined, journal: WriteJournal): PolicyStore {
  if (folder === undefined) return nowhere();
  const path = join(folder, "policies.json");
  return {
    load: () => load(path),
    async add(rule) {
      await change(path, journal, (rules) => [...rules.filter((other) => other.id !== rule.id), rule]);
    },
    async forget(id) {
      const before = await change(path, journal, (rules) => rules.filter((rule) => rule.id !== id));
      return before.some((rule) => rule.id === id);
    },
  };
}

function nowhere(): PolicyStore {
  const message = "there is no home folder to keep answers in: set HOME or XDG_CONFIG_HOME";
  const refuse = () => Promise.reject(configError(message));
  return { load: () => Promise.resolve({ rules: [], warnings: [] }), add: refuse, forget: refuse };
}

type State =
  | { readonly kind: "rules"; readonly rules: readonly PolicyRule[] }
  | { readonly kind: "newer" | "broken" | "unreadable"; readonly problem: string };

async function read(path: string): Promise<State> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return { kind: "rules", rules: [] };
    }
    const why = reasonOf(error);
    return {
      kind: "unreadable",
      problem: `${path} cannot be read (${why}): remembered answers are not used`,
    };
  }
  const found = readPolicyText(text);
  if (found.kind === "rules") return found;
  if (found.kind === "broken") return { kind: "broken", problem: `${path} is damaged (${found.problem})` };
  const problem = `${path} was written by a later version (${found.version}, this one knows ${policyVersion}): its answers are not used and it is left as it is`;
  return { kind: "newer", problem };
}

async function load(path: string): Promise<{ rules: readonly PolicyRule[]; warnings: readonly string[] }> {
  const state = await read(path);
  if (state.kind === "rules") return { rules: state.rules, warnings: [] };
  if (state.kind !== "broken") return { rules: [], warnings: [state.problem] };
  try {
    return await withFileLock(lockOf(path), async () => {
      const settled = await setAside(path);
      return { rules: settled.rules, warnings: settled.warning === undefined ? [] : [settled.warning] };
    });
  } catch (error) {
    const why = reasonOf(error);
    return { rules: [], warnings: [`${state.problem}; it could not be set aside: ${why}`] };
  }
}

/** Under the lock: a damaged file is kept under another name, and the person is told which. */
async function setAside(path: string): Promise<{ rules: readonly PolicyRule[]; warning?: string }> {
  const state = await read(path);
  if (state.kind === "rules") return { rules: state.rules };
  if (state.kind !== "broken") return { rules: [], warning: state.problem };
  const aside = `${path}.broken-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  await rename(path, aside);
  return { rules: [], warning: `${state.problem}: kept as ${aside}, remembered answers start anew` };
}

/** Changes the rules under the lock; returns those that were there before. */
async function change(
  path: string,
  journal: WriteJournal,
  edit: (rules: readonly PolicyRule[]) => readonly PolicyRule[],
): Promise<readonly PolicyRule[]> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await withFileLock(lockOf(path), async (stillHeld) => {
      const state = await read(path);
      if (state.kind === "newer" || state.kind === "unreadable") throw configError(state.problem);
      const before = state.kind === "rules" ? state.rules : (await setAside(path)).rules;
      const after = edit(before);
      if (writePolicyText(after) === writePolicyText(before)) return before;
      if (!(await stillHeld())) throw configError(`${path} was changed by another process: try again`);
      await replaceFile(path, Buffer.from(writePolicyText(after)), { journal, mode: 0o600, durable: true });
      return before;
    });
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    const why = reasonOf(error);
    throw configError(`${path} could not be written: ${why}`, error);
  }
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

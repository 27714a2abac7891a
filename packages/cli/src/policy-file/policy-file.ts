/** Rules and remembered answers in policies.json: many processes may use it at once, and no fault makes it allow more. */
import { join } from "node:path";
import type { PolicyRule, PolicyStore } from "@localharness/engine";
import type { WriteJournal } from "@localharness/tools";
import { configError } from "../complaints.ts";
import { changeKept, type KeptKind, loadKept } from "../kept-file/kept-file.ts";
import { policyVersion, readPolicyText, writePolicyText } from "./policy-rules.ts";

const policyKind: KeptKind<readonly PolicyRule[]> = {
  version: policyVersion,
  empty: [],
  contents: "remembered answers",
  durable: true,
  read: readPolicyText,
  write: writePolicyText,
};

export function policyPath(folder: string): string {
  return join(folder, "policies.json");
}

/** The store in `folder` (undefined: nowhere to keep anything). `load` never throws, `add` and `forget` reject with a `HarnessError`. */
export function openPolicyFile(folder: string | undefined, journal: WriteJournal): PolicyStore {
  if (folder === undefined) return nowhere();
  const path = policyPath(folder);
  return {
    async load() {
      const { value, warning } = await loadKept(path, policyKind);
      return { rules: value, warnings: warning === undefined ? [] : [warning] };
    },
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

function nowhere(): PolicyStore {
  const message = "there is no home folder to keep answers in: set HOME or XDG_CONFIG_HOME";
  const refuse = () => Promise.reject(configError(message));
  return { load: () => Promise.resolve({ rules: [], warnings: [] }), add: refuse, forget: refuse };
}

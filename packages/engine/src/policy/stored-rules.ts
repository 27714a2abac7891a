/** Keeps the rules of a store: reads them again when they have changed. While some cannot be read, calls with a risk ask. */
import { reasonOf } from "@localharness/protocol";
import { createMutex } from "../session/mutex.ts";
import type { RiskOfProgram } from "./check-rule.ts";
import type { LoadedRules, PolicyRule, PolicyStore } from "./rule.ts";
import { usableRules } from "./usable-rules.ts";

export interface StoredRules {
  /** Returns the rules in force. */
  rules(): readonly PolicyRule[];
  /** Reads the store. Resolves to warnings for the person. Never rejects. */
  load(): Promise<readonly string[]>;
  /** Reads the store again if it has changed. Resolves to what was read. Never rejects. */
  renew(): Promise<Renewal>;
}

export interface Renewal {
  /** `nothing` if the store has not changed, `some` if a part could not be read, `all` if every rule was read again. */
  readonly read: "nothing" | "some" | "all";
  /** Warnings that the person has not seen. */
  readonly warnings: readonly string[];
}

export function createStoredRules(store: PolicyStore | undefined, riskOf: RiskOfProgram): StoredRules {
  let inForce: readonly PolicyRule[] = [];
  /** The usable rules of the first load, and later of the last time that all rules could be read. */
  let complete: readonly PolicyRule[] = [];
  let mark: string | undefined;
  let told: readonly string[] = [];
  const oneAtATime = createMutex();

  function take(loaded: LoadedRules): readonly string[] {
    const usable = usableRules(loaded.rules, riskOf);
    complete = usable.rules;
    inForce = loaded.incomplete === true ? [...usable.rules, unreadRules] : usable.rules;
    return [...loaded.warnings, ...usable.warnings];
  }

  /** Keeps the rules as they were, and adds only what makes them stricter. */
  function takeStricter(loaded: LoadedRules): readonly string[] {
    const usable = usableRules(loaded.rules, riskOf);
    const stricter = usable.rules.filter(({ decision }) => decision !== "allow");
    inForce = [...complete, ...stricter, unreadRules];
    return [...loaded.warnings, ...usable.warnings];
  }

  async function renewOnce(): Promise<Renewal> {
    const loaded = mark === undefined ? undefined : await store?.newer?.(mark);
    if (loaded === undefined) return { read: "nothing", warnings: [] };
    mark = loaded.mark;
    const isAll = loaded.incomplete !== true;
    const all = isAll ? take(loaded) : takeStricter(loaded);
    const warnings = all.filter((text) => !told.includes(text));
    told = all;
    return { read: isAll ? "all" : "some", warnings };
  }

  return {
    rules: () => inForce,
    async load() {
      if (store === undefined) return [];
      try {
        const loaded = await store.load();
        mark = loaded.mark;
        told = take(loaded);
        return told;
      } catch (error) {
        inForce = [unreadRules];
        return [`remembered permissions could not be read, so none holds: ${reasonOf(error)}`];
      }
    },
    renew: () => oneAtATime(renewOnce),
  };
}

/** The rule that replaces rules which cannot be read. An unread rule may forbid a call, so every call with a risk asks. */
const unreadRules: PolicyRule = {
  id: "built-in:unread-rules",
  decision: "ask",
  justification: "the rules could not all be read, and one of them may forbid it",
  risk: ["low", "medium", "high"],
  origin: "built-in",
};

/** A policy store in memory. Tests can make it fail. */
import type { PolicyRule, PolicyStore } from "@localharness/engine";

export interface MemoryPolicyStore extends PolicyStore {
  readonly rules: PolicyRule[];
}

export function memoryPolicyStore(
  rules: PolicyRule[] = [],
  fail: { load?: string; add?: string; warnings?: readonly string[] } = {},
): MemoryPolicyStore {
  return {
    rules,
    async load() {
      if (fail.load !== undefined) throw new Error(fail.load);
      return { rules: [...rules], warnings: fail.warnings ?? [] };
    },
    async add(rule) {
      if (fail.add !== undefined) throw new Error(fail.add);
      rules.push(rule);
    },
    async forget(id) {
      const at = rules.findIndex((rule) => rule.id === id);
      if (at !== -1) rules.splice(at, 1);
      return at !== -1;
    },
  };
}

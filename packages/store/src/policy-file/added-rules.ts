/**
 * Adds the rules of the trusted folders that the person added to the workspace, from their `.localharness/policy.json`. They can only
 * deny and ask. Those about paths hold in their folder, all others in the whole session.
 */
import type { LoadedRules, PolicyRule, PolicyStore } from "@localharness/engine";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { readProjectRules } from "./project-rules.ts";

/**
 * Returns a store that loads the rules of `store` and of the folders. `trusted` returns the real paths of the trusted ones, which may
 * change. The rules of a folder stay as they were read when it was added.
 */
export function withAddedRules(store: PolicyStore, trusted: () => readonly string[]): PolicyStore {
  const known = new Map<string, LoadedRules>();
  let own: LoadedRules = { rules: [], warnings: [] };
  const joined = async (): Promise<LoadedRules> => {
    const roots = trusted();
    for (const root of known.keys()) if (!roots.includes(root)) known.delete(root);
    for (const root of roots) known.set(root, known.get(root) ?? (await rulesOf(root)));
    const all = [own, ...known.values()];
    return {
      rules: all.flatMap(({ rules }) => rules),
      warnings: all.flatMap(({ warnings }) => warnings),
      incomplete: all.some(({ incomplete }) => incomplete === true),
      mark: JSON.stringify([own.mark ?? null, ...roots]),
    };
  };
  return {
    ...store,
    async load() {
      own = await store.load();
      return await joined();
    },
    async newer(mark) {
      const [ownMark, ...roots] = JSON.parse(mark) as [string | null, ...string[]];
      const changed = ownMark === null ? undefined : await store.newer?.(ownMark);
      own = changed ?? own;
      const isSame = JSON.stringify(roots) === JSON.stringify(trusted());
      return changed === undefined && isSame ? undefined : await joined();
    },
  };
}

async function rulesOf(root: string): Promise<LoadedRules> {
  const folder = await openWorkspace(root).catch(() => undefined);
  // A folder that is gone has no files that a rule could be about.
  if (folder === undefined) return { rules: [], warnings: [] };
  try {
    const { rules, warnings, ...more } = await readProjectRules(folder);
    return {
      rules: rules.map((rule) => inFolder(rule, root)),
      warnings: warnings.map((warning) => `${root}: ${warning}`),
      ...more,
    };
  } finally {
    folder.close();
  }
}

/** Returns the rule with patterns from the root of the file system. */
function inFolder({ path, ...rule }: PolicyRule, root: string): PolicyRule {
  if (path === undefined) return rule;
  const patterns = [path].flat().map((one) => (one.startsWith("/") ? one : `${root}/${one}`));
  return { ...rule, path: patterns };
}

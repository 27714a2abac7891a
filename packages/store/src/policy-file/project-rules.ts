/** Reads the rules of a project from `.localharness/policy.json`. They can deny and ask, but never allow. */
import type { LoadedRules, PolicyRule, PolicyStore } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { isNoFolder, projectFolder } from "../project-folder.ts";
import { readPolicyText } from "./policy-rules.ts";

const path = `${projectFolder}/policy.json`;
const maxBytes = 1_000_000;

/**
 * Returns a store that loads the rules of `store` and the project's rules. When the person's rules change, the project's
 * rules stay as they were loaded: a tool that changes the folder's files must not make them laxer.
 */
export function withProjectRules(store: PolicyStore, workspace: Workspace): PolicyStore {
  let project: LoadedRules = { rules: [], warnings: [] };
  const joined = (own: LoadedRules): LoadedRules => ({
    ...own,
    rules: [...own.rules, ...project.rules],
    incomplete: own.incomplete === true || project.incomplete === true,
  });
  return {
    ...store,
    async load() {
      const [own, read] = await Promise.all([store.load(), readProjectRules(workspace)]);
      project = read;
      return { ...joined(own), warnings: [...own.warnings, ...project.warnings] };
    },
    async newer(mark) {
      const own = await store.newer?.(mark);
      return own === undefined ? undefined : joined(own);
    },
  };
}

/**
 * Returns the project's rules. Never rejects. A missing file has no rules. A file that cannot be used sets `incomplete`, so
 * that the person is asked about every call with a risk.
 */
export async function readProjectRules(workspace: Workspace): Promise<LoadedRules> {
  const found = workspace.openFile(path);
  if (!found.ok) {
    if (found.errorType === "not_found" || isNoFolder(workspace)) return { rules: [], warnings: [] };
    return unusable(found.message);
  }
  using file = found.value;
  try {
    const bytes = await file.read(maxBytes + 1);
    if (bytes.length > maxBytes) return unusable(`it has more than ${maxBytes} bytes`);
    const read = readPolicyText(bytes.toString("utf8"), "project");
    if (read.kind === "newer") return unusable(`it was written for a later version (${read.version})`);
    if (read.kind === "broken") return unusable(read.problem);
    return { rules: read.value.map(ownName), warnings: [] };
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

/** Adds the prefix `project:` to the rule's id, so that it cannot be mistaken for a rule of the person. */
function ownName(rule: PolicyRule): PolicyRule {
  return { ...rule, id: `project:${rule.id}` };
}

function unusable(problem: string): LoadedRules {
  return {
    rules: [],
    warnings: [`the project's rules in ${path} cannot be used: ${problem}`],
    incomplete: true,
  };
}

/** Rules that a project brings along, in `.localharness/policy.json`: they can deny and ask, never allow. */

import type { LoadedRules, PolicyRule, PolicyStore } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import type { Workspace } from "@localharness/tools";
import { isNoFolder, projectFolder } from "../project-folder.ts";
import { readPolicyText } from "./policy-rules.ts";

const path = `${projectFolder}/policy.json`;
const longest = 1_000_000;

/** `store`, and beside its rules those of the project. */
export function withProjectRules(store: PolicyStore, workspace: Workspace): PolicyStore {
  return {
    ...store,
    async load() {
      const [own, project] = await Promise.all([store.load(), readProjectRules(workspace)]);
      return {
        rules: [...own.rules, ...project.rules],
        warnings: [...own.warnings, ...project.warnings],
        incomplete: own.incomplete === true || project.incomplete === true,
      };
    },
  };
}

/** Never throws. A file that is not there is no rules; one that cannot be read makes everything asked about. */
export async function readProjectRules(workspace: Workspace): Promise<LoadedRules> {
  const found = workspace.openFile(path);
  if (!found.ok) {
    if (found.errorType === "not_found" || isNoFolder(workspace)) return { rules: [], warnings: [] };
    return unusable(found.message);
  }
  using file = found.value;
  try {
    const bytes = await file.read(longest + 1);
    if (bytes.length > longest) return unusable(`it has more than ${longest} bytes`);
    const read = readPolicyText(bytes.toString("utf8"), "project");
    if (read.kind === "newer") return unusable(`it was written for a later version (${read.version})`);
    if (read.kind === "broken") return unusable(read.problem);
    return { rules: read.value.map(ownName), warnings: [] };
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

/** A project must not pass a rule off as another's. */
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

/** Finds what commands see of the home folders of the user. */
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import { outerRepository, rootOfRepository } from "../outer-repository.ts";
import type { SandboxRules } from "../sandbox.ts";
import { addedNow, type HiddenHome } from "../sandbox-profile.ts";
import { hiddenHomes } from "./hidden-homes.ts";
import type { ShownPlace } from "./home-question.ts";
import { nothingShown, shownHome } from "./shown-places.ts";

/** Resolves to the hidden home folders and what is shown of them. `caches` are folders that the command may write. */
export async function homeOf(rules: SandboxRules, caches: readonly string[] = []): Promise<HiddenHome> {
  const { workspace } = rules;
  const homes = hiddenHomes(workspace);
  if (homes.length === 0) return { homes, ...nothingShown };
  const added = addedNow(rules);
  const around = (folder: string, why: string): readonly ShownPlace[] => {
    const root = rootOfRepository(folder);
    return root === undefined ? [] : [{ path: root, why }];
  };
  const named: readonly ShownPlace[] = [
    ...(rules.readable ?? []).map((path) => ({ path, why: "sandbox_readable" })),
    ...around(workspace, "the repository of the workspace"),
    ...added.flatMap(({ root, writable }) => [
      ...(writable ? [] : [{ path: root, why: "an added folder" }]),
      ...around(root, "the repository of an added folder"),
    ]),
  ];
  const open = [workspace, ...added.filter(({ writable }) => writable).map(({ root }) => root)];
  const writable = [
    ...open,
    ...rules.writable,
    ...caches,
    ...open.flatMap((folder) => outerRepository(folder).writable),
  ].map(realAsFar);
  return { homes, ...(await shownHome({ homes, writable, named, environment: process.env })) };
}

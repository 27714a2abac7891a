/** Hides the values of secrets in the output of commands, unless the person has allowed the model to read their files. */

import type { CallFacts, ToolContext } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { type Hiding, hideValues } from "./hide-values.ts";
import type { NamedValue } from "./read-values.ts";
import { createSecretFiles, gitFiles, type SecretFile } from "./secret-files.ts";
import { credentialName } from "./secret-value.ts";

type Call = Pick<ToolContext, "examined" | "mode">;

export interface Secrets {
  /** Notes the files of secrets that an allowed call reads. From then on, their values are not hidden. */
  allow(facts: CallFacts | undefined): void;
  /**
   * Calls `allow` with the facts of the call. Resolves to the hiding for its output; undefined if nothing is hidden: in mode
   * `bypass`, or if there are no values. A look shows no other files of secrets than those of git. Values of the kinds of secrets about which the call asked stay visible.
   */
  hidingFor(call: Call): Promise<Hiding | undefined>;
}

/** The maximum number of values that are hidden. Those of credentials come first. */
const maxValues = 300;

export function createSecrets(workspace: Workspace): Secrets {
  const allowed: { readonly path: string; readonly below: boolean }[] = [];
  const secretFiles = createSecretFiles(workspace);
  const isAllowed = ({ path }: SecretFile) =>
    allowed.some(
      (one) => path === one.path || (one.below && (one.path === "." || path.startsWith(`${one.path}/`))),
    );
  const allow: Secrets["allow"] = (facts) => {
    if (secretKinds(facts).size === 0) return;
    for (const { path, access, below } of facts?.paths ?? [])
      if (access === "read") allowed.push({ path, below: below === true });
  };
  return {
    allow,
    async hidingFor({ examined, mode }) {
      allow(examined);
      if (mode === "bypass") return undefined;
      const kinds = secretKinds(examined);
      const files = examined?.looks === true ? await secretFiles.ofGit() : await secretFiles.all();
      const shown = files.filter((file) => file.kind !== "git" && (kinds.has(file.kind) || isAllowed(file)));
      const labels = labelsOf(files.filter((file) => !shown.includes(file)));
      for (const { value } of shown.flatMap(({ values }) => values)) labels.delete(value);
      return labels.size === 0 ? undefined : hideValues(labels);
    },
  };
}

/** Returns the kinds of secrets about which the call asked, such as `.env`. A call that runs was allowed. */
function secretKinds(facts: CallFacts | undefined): ReadonlySet<string> {
  return new Set(facts?.concerns?.flatMap(({ id }) => /^secret:(.*)$/s.exec(id)?.[1] ?? []));
}

function labelsOf(files: readonly SecretFile[]): Map<string, string> {
  const all = files.flatMap(({ path, values }) => values.map((named) => ({ path, ...named })));
  const first = Map.groupBy(all, ({ name }) => name !== undefined && credentialName.test(name));
  const labels = new Map<string, string>();
  for (const { value, ...named } of [...(first.get(true) ?? []), ...(first.get(false) ?? [])]) {
    if (labels.size === maxValues) break;
    if (!labels.has(value)) labels.set(value, labelOf(named));
  }
  return labels;
}

function labelOf({ name, path }: Pick<NamedValue, "name"> & { readonly path: string }): string {
  return `[value of ${name ?? "a secret"} in ${path}: hidden]`;
}

function isOfGit(path: string): boolean {
  return gitFiles.some((name) => path === name || (path.startsWith("/") && path.endsWith(`/${name}`)));
}

/** Returns a note for the model and the person about the values that were hidden in the text; none if there are none. */
export function hiddenNotes(text: string): readonly string[] {
  const found = [...text.matchAll(/\[value of [^\n]{1,60}? in (?<path>[^\n]+?): hidden\]/g)];
  const paths = [...new Set(found.map(({ groups }) => groups?.["path"] ?? ""))];
  if (found.length === 0) return [];
  const values = countText(found.length, "value");
  const said = `${values} of secrets in ${paths.slice(0, 3).join(", ")} ${found.length === 1 ? "was" : "were"} hidden in this output`;
  if (paths.every(isOfGit)) return [said];
  return [
    `${said}. To see values, call read_file with the path: the person is asked, and then later commands show them too`,
  ];
}

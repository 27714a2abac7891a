/** Makes tools take the existing file that a path means, if the path is written with other characters that look the same. */
import type { CallFacts, Tool, ToolOutput, TouchedPath } from "@localharness/engine";
import type { OutputFolder } from "@localharness/processes/children/output-folder";
import type { JsonObject } from "@localharness/protocol";
import { plainPath } from "@localharness/workspace/examine/examine-paths";
import type { Failure } from "@localharness/workspace/outcome";
import { visibleName } from "@localharness/workspace/paths/look-key";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { textArgument } from "./arguments.ts";

/** One argument whose path was replaced. */
interface Taken {
  readonly asked: string;
  readonly path: string;
}

interface NamingParts {
  readonly workspace: Workspace;
  readonly outputs: OutputFolder;
}

interface TakenArguments {
  readonly args: JsonObject;
  readonly taken: readonly Taken[];
}

/**
 * Returns a copy of the tool whose arguments of the format `path` are replaced before it examines, shows or runs a call: by the
 * path of the only file that looks the same, if none has exactly this name. The facts have both paths, and the result names the
 * file. If several files look the same, the call is denied.
 */
export function takingNames(tool: Tool, parts: NamingParts): Tool {
  const names = Object.entries(tool.parameters.properties ?? {})
    .filter(([, schema]) => typeof schema === "object" && schema.format === "path")
    .map(([name]) => name);
  if (names.length === 0) return tool;
  const take = (args: JsonObject) => takeArguments(names, args, parts);
  const { examine, preview, foresee, fingerprint } = tool;
  return {
    ...tool,
    ...(examine && {
      examine: async (args, signal) => {
        const read = take(args);
        if ("ok" in read) return denied(read);
        const facts = await examine(read.args, signal);
        return read.taken.reduce((all, taken) => withAsked(all, taken, parts.workspace.root), facts);
      },
    }),
    ...(preview && { preview: async (args, signal) => await preview(argsOf(take(args), args), signal) }),
    ...(foresee && {
      foresee: async (args, signal, mayShow) => await foresee(argsOf(take(args), args), signal, mayShow),
    }),
    ...(fingerprint && { fingerprint: async (args) => await fingerprint(argsOf(take(args), args)) }),
    async execute(args, context) {
      const read = take(args);
      if ("ok" in read) return read;
      return withNotes(await tool.execute(read.args, context), read.taken);
    },
  };
}

function takeArguments(
  names: readonly string[],
  args: JsonObject,
  { workspace, outputs }: NamingParts,
): TakenArguments | Failure {
  const taken: Taken[] = [];
  let replaced = args;
  for (const name of names) {
    const asked = textArgument(args, name);
    if (asked === undefined || asked === "" || outputs.owns(asked)) continue;
    const path = workspace.takeNames(asked);
    if (!path.ok) return path;
    if (path.value === asked) continue;
    taken.push({ asked, path: path.value });
    replaced = { ...replaced, [name]: path.value };
  }
  return { args: replaced, taken };
}

function argsOf(read: TakenArguments | Failure, args: JsonObject): JsonObject {
  return "ok" in read ? args : read.args;
}

function denied({ message }: Failure): CallFacts {
  return { concerns: [{ id: "path", decision: "deny", reason: message }], rememberable: false };
}

/** Returns the facts with the path as it was asked for, so that rules for that path hold too, and with the file in the effect. */
function withAsked(facts: CallFacts, { asked, path }: Taken, root: string): CallFacts {
  const [from, to] = [plainPath(path, root), plainPath(asked, root)];
  const added = (facts.paths ?? [])
    .filter((touched) => touched.path === from)
    .map((touched): TouchedPath => ({ ...touched, path: to }));
  const effect = `${facts.effect ?? "uses it"}; the path in the call means "${visibleName(path)}"`;
  return { ...facts, effect, ...(facts.paths && { paths: [...facts.paths, ...added] }) };
}

function withNotes(output: ToolOutput, taken: readonly Taken[]): ToolOutput {
  if (taken.length === 0 || !output.ok) return output;
  const notes = taken.map(
    ({ asked, path }) =>
      `there is no "${visibleName(asked)}"; "${visibleName(path)}", which looks the same, was taken (\\u and four digits stand for one character)`,
  );
  return { ...output, notes: [...(output.notes ?? []), ...notes] };
}

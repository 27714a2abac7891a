/**
 * Computes the scope of an answer to a command that also covers the command with other further words: `npm test ...`. The table of
 * programs says which words are covered.
 */

import type { CallFacts } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { executedFiles } from "../shell/executed-files.ts";
import { prefixOf } from "../shell/programs/prefixes.ts";
import type { Words } from "../shell/programs/program.ts";
import type { LocateProgram } from "../shell/stable-program.ts";
import { addMark, type ReadCalls, scriptsRunBy, type Writer } from "./add-mark.ts";
import { digest } from "./file-marks.ts";

export interface WiderSubject {
  /** The only call of the command. */
  readonly call: Words;
  readonly folder: string;
  readonly locateProgram: LocateProgram;
  readonly callsIn: ReadCalls;
  /** The configuration of the repository in which git would run. */
  readonly gitConfiguration?: string;
}

/** The files that say what the command runs. Other files that it runs are code of the workspace, and may change. */
const compared: readonly string[] = ["package-scripts", "package", "makefile"];

/** Resolves to the scope; undefined if the table has no such beginning, or if the program or its instructions are uncertain. */
export async function widerScope(
  workspace: Workspace,
  { call, folder, locateProgram, callsIn, gitConfiguration }: WiderSubject,
): Promise<CallFacts["wider"]> {
  const words = prefixOf(call);
  const place = locateProgram(words?.[0] ?? "");
  if (words === undefined || (place.kind !== "stable" && place.kind !== "chosen")) return undefined;
  const writer: Writer = { marks: { workspace, files: {}, computed: false }, callsIn };
  for (const file of executedFiles(words, true).filter(({ kind }) => compared.includes(kind)))
    if (!(await addMark(writer, folder, file))) return undefined;
  await scriptsRunBy(writer, folder, words);
  const { files } = writer.marks;
  const begins = words.join(" ");
  const scope = {
    any: words,
    folder,
    program: `${place.path} -> ${place.real}`,
    files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(gitConfiguration === undefined ? {} : { git: digest(gitConfiguration) }),
  };
  return { scope: JSON.stringify(scope), covers: inWords(begins, folder, Object.keys(files)), begins };
}

function inWords(begins: string, folder: string, files: readonly string[]): string {
  const where = folder === "." ? "" : ` in the folder "${folder}"`;
  const named = files.map((name) =>
    name.endsWith(" scripts") ? `the scripts of ${name.slice(0, -8)}` : name,
  );
  const shown = named.length > 3 ? [...named.slice(0, 2), `${countText(named.length - 2, "other")}`] : named;
  const tied = shown.length === 0 ? "" : `, as long as ${shown.join(", ")} stay as now`;
  return `any "${begins} ..."${where}, whatever files of the workspace it runs and whatever is in them then${tied}. Still asked: redirections, other programs, the network, other options`;
}

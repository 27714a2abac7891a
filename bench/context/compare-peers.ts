/** Compares what one long task costs with us and with other harnesses, in the same window. */
import type { BenchOptions } from "../benchmark.ts";
import { goalLine, table } from "../measure/figures.ts";
import { findPeers } from "../programs/peers.ts";
import type { Program } from "../programs/program.ts";
import { runTask, type TaskFigures } from "./peer-session.ts";
import { oneTask, type SessionScript } from "./scripts.ts";

const windows = [16_384, 32_768];

/** The task without the needle `not_found` (a text that the last prompt must have): only our tools write this error code. */
const script: SessionScript = {
  ...oneTask,
  needles: oneTask.needles.filter(({ text }) => text !== "not_found"),
};

/**
 * Runs the task with our program, which the script `start` starts, and with each harness installed in `folder` that speaks
 * the API of OpenAI. Prints a table for each size of the context window.
 */
export async function comparePeers(
  start: string,
  folder: string,
  { print, note }: Pick<BenchOptions, "print" | "note">,
): Promise<void> {
  const { programs, absent } = findPeers(folder);
  const peers = programs.filter(({ wire }) => wire === "openai");
  for (const name of absent) note(`${name} is not installed`);
  for (const { name } of programs.filter((one) => !peers.includes(one))) note(`${name}: not on this wire`);
  for (const window of windows) {
    const rows: (readonly [Program, TaskFigures])[] = [];
    for (const program of [ours(start), ...peers]) {
      note(`${program.name}, ${window}`);
      rows.push([program, await runTask(program, script, window)]);
    }
    const head = ["needles", "refused", "history changed", "beside", "tokens sent", "cached in all"];
    print(`\n${script.name}, in a window of ${window} tokens:\n`);
    print(table(["", ...head, "ended", "problems"], rows.map(rowOf)));
    print(`\n${goalOf(rows)}\n`);
  }
}

function ours(start: string): Program {
  return {
    name: "localharness, openai",
    kind: "ours",
    wire: "openai",
    absolutePaths: false,
    prompt: ({ prompt, serverUrl }) => ({
      file: process.execPath,
      args: [start, "-p", "--base-url", `${serverUrl}/v1`, "--model", "small", "--mode", "bypass", prompt],
    }),
  };
}

function rowOf([{ name }, figures]: readonly [Program, TaskFigures]): readonly string[] {
  const { found, missing, refused, changed, summaries, tokens, cached, ended, problems } = figures;
  return [
    name,
    `${found.length} of ${found.length + missing.length}`,
    String(refused),
    String(changed),
    String(summaries),
    String(tokens),
    `${(cached * 100).toFixed(1)} %`,
    ended ? "yes" : "no",
    problems.join("; ").slice(0, 120),
  ];
}

function goalOf(rows: readonly (readonly [Program, TaskFigures])[]): string {
  const ended = rows.filter(([, { ended }]) => ended);
  const own = ended.find(([{ kind }]) => kind === "ours")?.[1].tokens;
  const least = Math.min(...ended.flatMap(([{ kind }, { tokens }]) => (kind === "peer" ? [tokens] : [])));
  const known = own !== undefined && Number.isFinite(least);
  const measured = `${own ?? "-"} against ${Number.isFinite(least) ? least : "-"}`;
  return goalLine(
    "fewer tokens than every harness that ended the task",
    measured,
    known ? own < least : undefined,
  );
}

/** Counts how often ordinary work asks the person, and how many keys it takes, with the default policy in a trusted folder. */
import { buildProgram } from "../scripts/corpus/attacks/program.ts";
import { type AskOptions, countAsks } from "./asks/count-asks.ts";
import { countPresses } from "./asks/count-presses.ts";
import { type Task, tasks } from "./asks/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

type Way = Omit<AskOptions, "program"> & {
  /** True if each task has a session of its own on a fresh project; otherwise one session does them all. */
  readonly apart?: true;
};

/** How the tasks are done: the person's answer to every question, the sandbox, the mode, and whether they were done before. */
const ways: Readonly<Record<string, Way>> = {
  once: { sandbox: "off", answer: "once" },
  session: { sandbox: "off", answer: "session" },
  "session, sandbox": { sandbox: "auto", answer: "session" },
  "session, each task apart": { sandbox: "off", answer: "session", apart: true },
  "auto, sandbox": { sandbox: "auto", answer: "once", mode: "auto" },
  "auto, no sandbox": { sandbox: "off", answer: "session", mode: "auto" },
  "remembered before": { sandbox: "off", answer: "remember", again: true },
};

export const benchmark: Benchmark = {
  question:
    "How often is the person asked in a session of ten ordinary tasks, and how many keys does it take?",
  async run({ print, note }) {
    using program = await buildProgram();
    const columns: (readonly (readonly string[])[])[] = [];
    for (const [name, way] of Object.entries(ways)) {
      const { askedFor, problems } = await countIn(way, program.start);
      columns.push(askedFor);
      for (const problem of problems) note(`${name}: ${problem}`);
    }
    print(["task", "calls", ...Object.keys(ways), "asked about (session)"].join(" | "));
    for (const [index, task] of tasks.entries()) {
      const counts = columns.map((column) => column[index]?.length ?? 0);
      const names = columns[1]?.[index] ?? [];
      print([task.name, callsOf(task), ...counts, names.join(", ")].join(" | "));
    }
    const sums = columns.map((column) => column.flat().length);
    print(["all", tasks.reduce((sum, task) => sum + callsOf(task), 0), ...sums, ""].join(" | "));
    const { questions, problems } = await countPresses(program.start, tasks);
    for (const problem of problems) note(`80x24: ${problem}`);
    const more = questions.filter(({ presses }) => presses !== 1);
    const presses = questions.reduce((sum, one) => sum + one.presses, 0);
    print(`\n80x24, allowed once each: ${questions.length} questions, ${presses} presses`);
    print(
      more.length === 0
        ? "one press each"
        : `not one: ${more.map(({ tool, presses }) => `${tool} ${presses}`).join(", ")}`,
    );
  },
};

async function countIn({ apart, ...way }: Way, program: string) {
  if (apart !== true) return await countAsks(tasks, { program, ...way });
  const counts = [];
  for (const task of tasks) counts.push(await countAsks([task], { program, ...way }));
  return {
    askedFor: counts.flatMap(({ askedFor }) => askedFor),
    problems: counts.flatMap(({ problems }) => problems),
  };
}

function callsOf({ answers }: Task): number {
  return answers.flat().length;
}

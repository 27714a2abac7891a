/** Counts how often ordinary work asks the person, with the default policy in a trusted folder. */
import { buildProgram } from "../scripts/corpus/attacks/program.ts";
import { type AskOptions, countAsks } from "./asks/count-asks.ts";
import { tasks } from "./asks/tasks.ts";
import type { Benchmark } from "./benchmark.ts";

type Way = Omit<AskOptions, "program">;

/** How each task is done: the person's answer to every question, the sandbox, the mode, and whether it was done before. */
const ways: Readonly<Record<string, Way>> = {
  once: { sandbox: "off", answer: "once" },
  session: { sandbox: "off", answer: "session" },
  "session, sandbox": { sandbox: "auto", answer: "session" },
  "auto, sandbox": { sandbox: "auto", answer: "once", mode: "auto" },
  "auto, no sandbox": { sandbox: "off", answer: "session", mode: "auto" },
  "remembered before": { sandbox: "off", answer: "remember", again: true },
};

export const benchmark: Benchmark = {
  question: "How often is the person asked in ten ordinary tasks?",
  async run({ print, note }) {
    using program = await buildProgram();
    print(["task", "calls", ...Object.keys(ways), "asked about (session)"].join(" | "));
    const sums = Object.keys(ways).map(() => 0);
    let allCalls = 0;
    for (const task of tasks) {
      const counts: number[] = [];
      let askedFor: readonly string[] = [];
      for (const [name, way] of Object.entries(ways)) {
        const count = await countAsks(task, { program: program.start, ...way });
        counts.push(count.asks);
        if (name === "session") askedFor = count.askedFor;
        for (const problem of count.problems) note(`${task.name}, ${name}: ${problem}`);
      }
      for (const [index, count] of counts.entries()) sums[index] = (sums[index] ?? 0) + count;
      const calls = task.answers.flat().length;
      allCalls += calls;
      print([task.name, calls, ...counts, askedFor.join(", ")].join(" | "));
    }
    print(["all", allCalls, ...sums, ""].join(" | "));
  },
};

/** Answers the requests of tasks that are done one after another: each of the model's answers, then the end of the task. */
import { callsReply, type Reply, textReply } from "../../scripts/corpus/attacks/model-server.ts";
import type { Task } from "./tasks.ts";

/** Returns the reply to each request, by its number. */
export function scripted(tasks: readonly Task[]): (request: unknown, count: number) => Reply {
  const replies = tasks.flatMap(({ answers }) => [...answers, undefined]);
  return (_request, count) => {
    const calls = replies[count];
    return calls === undefined
      ? textReply("Done.")
      : callsReply(calls.map(({ name, arguments: args }) => ({ name, argumentsText: JSON.stringify(args) })));
  };
}

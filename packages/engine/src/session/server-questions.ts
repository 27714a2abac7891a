/** Asks the person the questions of MCP servers and of the model, one after another. */
import { answerProblem, type Command, type EventBody, type QuestionAnswer } from "@localharness/protocol";
import { freshId } from "../fresh-id.ts";
import type { GivenAnswer } from "../questions/ask-person.ts";
import type { AskedByServer, Session, SessionOptions } from "./session-options.ts";

export interface ServerQuestions {
  /**
   * Resolves to the person's answer. Cancels if the signal of the call or of the turn aborts first. Declines if nobody
   * can be asked, and outside of a turn (`turn` is undefined), because what the person then types next is a message.
   * Never rejects.
   */
  ask(question: AskedByServer, signal: AbortSignal, turn: AbortSignal | undefined): Promise<GivenAnswer>;
  /**
   * Settles the open question. Does nothing if no question with that id is open. If the values do not fit, the question
   * stays open, and a notice says why.
   */
  answer(command: Extract<Command, { type: "server-question-answer" }>): void;
  /** Declines the open question and all later ones, because nobody will answer them. */
  abandon(): void;
}

/** Returns the object that asks the person the questions of MCP servers. */
export function createServerQuestions(
  session: Pick<Session, "notice">,
  { interactive, answersServers = interactive }: Pick<SessionOptions, "interactive" | "answersServers">,
  emit: (body: EventBody) => void,
): ServerQuestions {
  let isAlone = !answersServers;
  let open:
    | {
        readonly questionId: string;
        readonly asked: AskedByServer;
        settle(answer: QuestionAnswer, by: GivenAnswer["by"]): void;
      }
    | undefined;
  let before: Promise<unknown> = Promise.resolve();

  function askNow(
    asked: AskedByServer,
    call: AbortSignal,
    turn: AbortSignal | undefined,
  ): Promise<GivenAnswer> {
    const signal = AbortSignal.any(turn === undefined ? [call] : [call, turn]);
    if (signal.aborted) return Promise.resolve({ action: "cancel", by: "nobody" });
    if (isAlone || turn === undefined) {
      // The model gets the reason as a result. A server may hide it from the person.
      if (asked.server !== undefined) {
        const message = `the MCP server ${asked.server} asked a question that nobody can answer here, so it was declined`;
        session.notice("warning", "server-question", message);
      }
      return Promise.resolve({ action: "decline", by: "nobody" });
    }
    const questionId = freshId();
    return new Promise((resolve) => {
      const cancel = () => open?.settle({ action: "cancel" }, "nobody");
      open = {
        questionId,
        asked,
        settle(answer, by) {
          open = undefined;
          signal.removeEventListener("abort", cancel);
          emit({ type: "server-question-answer", questionId, action: answer.action, by });
          resolve({ ...answer, by });
        },
      };
      signal.addEventListener("abort", cancel, { once: true });
      emit({ type: "server-question", question: { questionId, ...asked } });
    });
  }

  return {
    ask(asked, signal, turn) {
      const answered = before.then(() => askNow(asked, signal, turn));
      before = answered;
      return answered;
    },
    answer(command) {
      const { questionId, action, values = {} } = command;
      if (open?.questionId !== questionId) return;
      const problem = answerProblem(open.asked, command);
      if (problem !== undefined) {
        session.notice("warning", "server-question", `the answer was not sent: ${problem}. Answer again`);
        return;
      }
      open.settle(action === "accept" ? { action, values } : { action }, "person");
    },
    abandon() {
      isAlone = true;
      open?.settle({ action: "decline" }, "nobody");
    },
  };
}

/** Answers the questions of MCP servers in a session by asking the person. */
import type { Session } from "@localharness/engine";
import type { QuestionAnswer, ServerQuestion } from "@localharness/protocol";

/**
 * Asks the person a question of an MCP server. `signal` aborts when the session has another answer to the question; the
 * person's answer is then ignored.
 */
export type AskForServer = (question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;

export function answerQuestions(session: Session, ask: AskForServer): void {
  let settled: AbortController | undefined;
  session.subscribe((event) => {
    if (event.type === "server-question-answer") settled?.abort();
    if (event.type !== "server-question") return;
    const { question } = event;
    const open = new AbortController();
    settled = open;
    const answered = ask(question, open.signal).catch((): QuestionAnswer => ({ action: "cancel" }));
    void answered.then((given) => {
      if (open.signal.aborted) return;
      session.send({ type: "server-question-answer", questionId: question.questionId, ...given });
    });
  });
}

/** Shows the open question of an MCP server as a dialog, and closes the dialog when the question is settled elsewhere. */
import type { ServerQuestion } from "@localharness/protocol";
import type { App } from "../app.ts";
import { serverQuestion } from "../dialogs/server-question.ts";

export interface ServerQuestionDialog {
  /** Shows the question that the session has open; undefined closes the dialog. */
  settle(question: ServerQuestion | undefined): void;
}

export function createServerQuestions(app: App): ServerQuestionDialog {
  let open: { readonly questionId: string; close(): void } | undefined;
  return {
    settle(question) {
      if (question?.questionId === open?.questionId) return;
      open?.close();
      open = undefined;
      if (question === undefined) return;
      const dialog = serverQuestion(question);
      app.open((shown, close) => {
        open = { questionId: question.questionId, close };
        return dialog(shown, close);
      }, "full");
    },
  };
}

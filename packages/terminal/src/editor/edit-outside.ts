/** Opens the draft in the person's own editor and puts the result back into the message editor. */
import { reasonOf } from "@localharness/protocol";
import type { App } from "../app.ts";
import type { TerminalLoan } from "../screen/lend-terminal.ts";
import type { MessageEditor } from "./message-editor.ts";

export interface OutsideParts {
  readonly app: Pick<App, "host" | "say">;
  readonly editor: Pick<MessageEditor, "getText" | "setText">;
  readonly loan: TerminalLoan;
}

/** Opens the draft in the person's editor. Placeholders of pastes and images stay in the draft. Never rejects. */
export function editOutside({ app, editor, loan }: OutsideParts): Promise<void> {
  return loan.lend(async () => {
    const draft = editor.getText();
    try {
      const edit = await app.host.editDraft(draft);
      if (edit.kind === "kept") app.say(edit.message, "warning");
      else {
        if (edit.text !== draft) editor.setText(edit.text);
        if (edit.remark !== undefined) app.say(edit.remark);
      }
    } catch (error) {
      app.say(reasonOf(error), "error");
    }
  });
}

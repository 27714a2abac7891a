/** Does what a message of the person asks for: runs a slash command or a `!command`, or sends it to the model. */
import { sizeText } from "@localharness/protocol";
import type { App } from "./app.ts";
import type { MessageEditor } from "./editor/message-editor.ts";
import type { SessionOpener } from "./open-session.ts";
import type { Outbox } from "./outbox.ts";
import type { PersonsCommands } from "./persons-command.ts";
import { runSlashCommand } from "./run-slash-command.ts";

export interface MessageDesk {
  /**
   * Does what a message from the editor asks for; if another session is being opened, only when that session is shown.
   * `shown` is the editor's text, in which placeholders replace large pastes.
   */
  typed(message: string, shown: string): void;
  /** Runs a slash command or sends a message. */
  take(message: string, shown?: string): void;
}

export interface MessageDeskParts {
  readonly app: App;
  readonly editor: Pick<MessageEditor, "remember">;
  readonly outbox: Pick<Outbox, "submit">;
  readonly opener: SessionOpener;
  readonly commandsOfPerson: Pick<PersonsCommands, "run">;
}

/** The maximum length of a message that is kept in the history of the folder, in UTF-16 units. */
const maxRememberedChars = 20_000;

export function createMessageDesk({
  app,
  editor,
  outbox,
  opener,
  commandsOfPerson,
}: MessageDeskParts): MessageDesk {
  function take(message: string, shown?: string): void {
    const send = () => outbox.submit(message, shown);
    if (message.startsWith("/")) void runSlashCommand(app, message, send);
    else send();
  }

  function obey(message: string, shown: string): void {
    if (message.startsWith("!") && message.length > 1) {
      return void commandsOfPerson.run(message.slice(1).trim());
    }
    if (/^(?:exit|quit)$/.test(message.trim())) return void app.leave();
    if (message.length > 1_000_000) {
      app.say(`the whole message of ${sizeText(message.length)} is sent to the model`);
    }
    take(message, shown);
    if (message.startsWith("/") && !message.includes("\n")) return;
    if (shown.length < maxRememberedChars) app.host.rememberMessage(shown).catch(() => undefined);
  }

  return {
    typed(message, shown) {
      editor.remember(shown);
      if (!opener.hold({ shown, send: () => obey(message, shown) })) obey(message, shown);
    },
    take,
  };
}

/** Opens another session in place of the shown one, and holds messages typed meanwhile for the new session. */
import type { SessionChoice } from "@localharness/protocol";
import type { App } from "./app.ts";

export interface SessionOpener {
  /** Opens and shows another session, as described at `App.openSession`. */
  open(which: SessionChoice, opened?: () => void): Promise<boolean>;
  /**
   * Queues a message until the other session is shown. If that session cannot be opened, `shown` goes back to the editor,
   * before the text that is there. Returns false if no session is being opened.
   */
  hold(message: HeldMessage): boolean;
}

export interface HeldMessage {
  /** The text of the editor, with placeholders for large pastes. */
  readonly shown: string;
  send(): void;
}

export function createSessionOpener(
  app: Pick<App, "host" | "view" | "say" | "show" | "edit">,
): SessionOpener {
  /** The messages for the session that is being opened; undefined if no session is being opened. */
  let held: HeldMessage[] | undefined;

  async function openOther(which: SessionChoice, opened: () => void): Promise<void> {
    const mine: HeldMessage[] = [];
    held = mine;
    try {
      app.show(await app.host.open(which), which.kind === "fork");
      opened();
    } catch (error) {
      // The messages were meant for the session that failed to open, so they go back to the editor.
      if (mine.length > 0) app.edit(mine.map(({ shown }) => shown).join("\n\n"));
      throw error;
    } finally {
      held = undefined;
    }
    for (const { send } of mine) send();
  }

  return {
    async open(which, opened = () => undefined) {
      if (held !== undefined) return false;
      if (app.view().turn.running) {
        app.say("a turn is running: Esc interrupts it", "warning");
        return false;
      }
      await openOther(which, opened);
      return true;
    },
    hold(message) {
      held?.push(message);
      return held !== undefined;
    },
  };
}

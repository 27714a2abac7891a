/** Another session in place of the one that is shown: one at a time, and what is typed meanwhile is for the new one. */

import type { SessionChoice } from "@localharness/protocol";
import type { App } from "./app.ts";

export interface SessionOpener {
  /** As `App.openSession`. */
  open(which: SessionChoice, opened?: () => void): Promise<boolean>;
  /** Keeps a message until the other session is shown; false when none is being opened. */
  hold(message: HeldMessage): boolean;
}

export interface HeldMessage {
  /** As it stood in the editor. */
  readonly shown: string;
  send(): void;
}

export function createSessionOpener(
  app: Pick<App, "host" | "view" | "say" | "show" | "edit">,
): SessionOpener {
  /** Undefined while no other session is being opened. */
  let held: HeldMessage[] | undefined;

  async function openOther(which: SessionChoice, opened: () => void): Promise<void> {
    const mine: HeldMessage[] = [];
    held = mine;
    try {
      app.show(await app.host.open(which));
      opened();
    } catch (error) {
      // They were meant for a session that did not come.
      if (mine.length > 0) app.edit(mine.map(({ shown }) => shown).join("\n"));
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

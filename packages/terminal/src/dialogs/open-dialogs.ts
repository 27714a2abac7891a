/** Holds the open dialogs: at most one panel in place of the editor and one dialog on the whole screen. */
import type { App, Dialog, DialogComponent } from "../app.ts";
import type { FrozenScreen } from "../screen/frozen-screen.ts";

export interface OpenDialogs {
  open(dialog: Dialog, where: "panel" | "full"): void;
  panel(): DialogComponent | undefined;
  full(): DialogComponent | undefined;
  /** Closes the dialog that has the focus and calls its `onLeave`. Returns false if no dialog is open. */
  leave(): boolean;
  /** Draws the full-screen dialog again after the program was suspended or the terminal was lent. */
  redrawAfterSuspend(): void;
}

export function createOpenDialogs(app: App, screen: FrozenScreen): OpenDialogs {
  let panel: DialogComponent | undefined;
  let full: DialogComponent | undefined;

  function close(component: DialogComponent): void {
    if (component === full) {
      full = undefined;
      screen.leaveFull();
    } else if (component === panel) panel = undefined;
    app.redraw();
  }

  return {
    open(dialog, where) {
      const component: DialogComponent = dialog(app, () => close(component));
      if (where === "panel") panel = component;
      else {
        full = component;
        screen.enterFull(component);
      }
      app.redraw();
    },
    panel: () => panel,
    full: () => full,
    leave() {
      const front = full ?? panel;
      if (front === undefined) return false;
      close(front);
      front.onLeave?.();
      return true;
    },
    redrawAfterSuspend() {
      if (full !== undefined) screen.enterFull(full);
    },
  };
}

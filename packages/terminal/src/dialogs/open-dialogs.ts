/** What is open over the editor: a panel in its place, and a dialog on the whole screen. */
import type { App, Dialog, DialogComponent } from "../app.ts";
import type { FrozenScreen } from "../screen/frozen-screen.ts";

export interface OpenDialogs {
  open(dialog: Dialog, where: "panel" | "full"): void;
  panel(): DialogComponent | undefined;
  full(): DialogComponent | undefined;
  /** Takes away the one that is in front, as the person leaves it; false when none is open. */
  leave(): boolean;
  /** After the terminal was given away and came back. */
  comeBack(): void;
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
    comeBack() {
      if (full !== undefined) screen.enterFull(full);
    },
  };
}

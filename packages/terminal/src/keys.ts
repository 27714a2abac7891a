/** Keys that mean something wherever the person is; all others go to what is in front. */
import { matchesKey } from "@earendil-works/pi-tui";
import type { PermissionMode } from "@localharness/protocol";
import { rewind } from "./dialogs/rewind.ts";
import { transcriptViewer } from "./dialogs/transcript-viewer.ts";
import type { RunningApp } from "./open-app.ts";

export interface KeyTable {
  /** True when the key was taken. */
  take(data: string): boolean;
}

/** Two presses within this time belong together. */
const togetherMs = 1_000;
const modes: readonly PermissionMode[] = ["default", "accept-edits", "plan"];

export function createKeyTable(app: RunningApp): KeyTable {
  let lastCancel = Number.NEGATIVE_INFINITY;
  let lastEscape = Number.NEGATIVE_INFINITY;

  function cancel(): boolean {
    const now = performance.now();
    if (now - lastCancel < togetherMs) {
      app.leave();
      return true;
    }
    lastCancel = now;
    if (app.dialogOpen()) app.closeDialog();
    else if (app.commandsOfPerson.stop()) app.hint("");
    else if (app.view().turn.running) app.send({ type: "interrupt" });
    else app.editor.setText("");
    app.hint("Ctrl+C again leaves");
    return true;
  }

  function leaveOrGoBack(): boolean {
    if (app.dialogOpen() || app.editor.isShowingAutocomplete()) return false;
    if (app.commandsOfPerson.stop()) return true;
    if (app.view().turn.running) {
      app.send({ type: "interrupt" });
      return true;
    }
    const now = performance.now();
    const twice = now - lastEscape < togetherMs;
    lastEscape = twice ? Number.NEGATIVE_INFINITY : now;
    if (!twice) app.hint("Esc again goes back to an earlier message");
    else if (app.items().some((item) => item.kind === "user" && item.from === "person")) app.open(rewind);
    return true;
  }

  function nextMode(): boolean {
    const mode = modes[(modes.indexOf(app.view().mode) + 1) % modes.length] ?? "default";
    app.send({ type: "set-mode", mode });
    app.hint(`mode ${mode}`);
    return true;
  }

  return {
    take(data) {
      if (matchesKey(data, "ctrl+c")) return cancel();
      if (matchesKey(data, "escape") && !app.noting()) return leaveOrGoBack();
      if (matchesKey(data, "ctrl+l")) {
        app.screen.drawAgain();
        return true;
      }
      if (matchesKey(data, "ctrl+z")) {
        app.suspend();
        return true;
      }
      if (app.dialogOpen()) return false;
      if (matchesKey(data, "ctrl+o")) {
        app.open(transcriptViewer, "full");
        return true;
      }
      if (app.asked()) return false;
      if (matchesKey(data, "shift+tab")) return nextMode();
      if (matchesKey(data, "ctrl+v")) {
        app.editor.pasteImage();
        return true;
      }
      if (!matchesKey(data, "ctrl+d") || app.editor.getText() !== "") return false;
      app.leave();
      return true;
    },
  };
}

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
    const front = app.inFront();
    if (front === "full" || front === "panel") app.leaveDialog();
    else if (app.commandsOfPerson.stop()) app.hint("");
    else if (app.view().turn.running) app.send({ type: "interrupt" });
    else app.editor.setText("");
    app.hint("Ctrl+C again leaves");
    return true;
  }

  function leaveOrGoBack(): boolean {
    const front = app.inFront();
    if (front === "full" || front === "panel") return false;
    if (front === "question") return denyAll(app);
    if (app.editor.isShowingAutocomplete()) return false;
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

  return {
    take(data) {
      if (matchesKey(data, "ctrl+c")) return cancel();
      if (matchesKey(data, "escape")) return leaveOrGoBack();
      if (matchesKey(data, "ctrl+l")) {
        app.screen.drawAgain();
        return true;
      }
      if (matchesKey(data, "ctrl+z")) {
        app.suspend();
        return true;
      }
      const front = app.inFront();
      if (front === "full" || front === "panel") return false;
      if (matchesKey(data, "ctrl+o")) {
        app.open(transcriptViewer, "full");
        return true;
      }
      if (front === "question") return false;
      if (matchesKey(data, "shift+tab")) return nextMode(app);
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

/** Esc at a question, unless it is meant for the note, or for what was typed before the question came. */
function denyAll(app: RunningApp): boolean {
  const question = app.question();
  if (question?.noting() === true) return false;
  if (question?.ready() === false && app.editor.isShowingAutocomplete()) return false;
  app.send({ type: "interrupt" });
  return true;
}

function nextMode(app: RunningApp): boolean {
  const mode = modes[(modes.indexOf(app.mode()) + 1) % modes.length] ?? "default";
  app.send({ type: "set-mode", mode });
  app.hint(`mode ${mode}`);
  return true;
}

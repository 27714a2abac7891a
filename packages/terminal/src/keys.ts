/** Handles the keys that work everywhere, such as Ctrl+C, Esc and Ctrl+O. All others go to the component in front. */
import { matchesKey } from "@earendil-works/pi-tui";
import type { PermissionMode } from "@localharness/protocol";
import type { App } from "./app.ts";
import { historySearch } from "./dialogs/history-search.ts";
import { rewind } from "./dialogs/rewind.ts";
import { transcriptViewer } from "./dialogs/transcript-viewer.ts";
import type { MessageEditor } from "./editor/message-editor.ts";
import type { PersonsCommands } from "./persons-command.ts";
import type { PermissionPrompt } from "./prompt/permission-prompt.ts";

/** What the keys act on: the app, and what of its screen only the keys need. */
export interface KeyedApp extends App {
  readonly screen: { drawAgain(): void };
  readonly editor: Pick<
    MessageEditor,
    "getText" | "isShowingAutocomplete" | "messages" | "mode" | "pasteImage" | "takesEscape"
  >;
  readonly commandsOfPerson: Pick<PersonsCommands, "stop">;
  /** What has the keys. */
  inFront(): "full" | "question" | "panel" | "editor";
  /** The question that is open; undefined while nothing is asked. */
  question(): Pick<PermissionPrompt, "noting" | "ready"> | undefined;
  /** Clears the editor, and keeps its text as the last entry of the history. */
  putAside(): void;
  /** Takes away the dialog in front, as if it had been left by its own key; false when none is open. */
  leaveDialog(): boolean;
  /** Stops the program and gives the terminal to the shell, until it brings the program back. */
  suspend(): void;
  /** Opens the draft in the person's own editor. */
  editOutside(): void;
  /** Shows a line above the status until the next key. */
  hint(text: string): void;
}

export interface KeyTable {
  /** Handles a key. Returns false when the key belongs to the component in front. */
  take(data: string): boolean;
}

/** Two presses of Ctrl+C or Esc within this time, with no other key between them, count as a double press. */
const doublePressMs = 1_000;
const modes: readonly PermissionMode[] = ["default", "accept-edits", "auto", "plan"];

export function createKeyTable(app: KeyedApp): KeyTable {
  let lastCancel = Number.NEGATIVE_INFINITY;
  let lastEscape = Number.NEGATIVE_INFINITY;

  function cancel(): boolean {
    const now = performance.now();
    if (now - lastCancel < doublePressMs) {
      app.leave();
      return true;
    }
    lastCancel = now;
    const front = app.inFront();
    if (front === "full" || front === "panel") app.leaveDialog();
    else if (app.commandsOfPerson.stop()) app.hint("");
    else if (app.view().turn.running) app.send({ type: "interrupt" });
    else app.putAside();
    app.hint("Ctrl+C again leaves");
    return true;
  }

  function leaveOrGoBack(): boolean {
    const front = app.inFront();
    if (front === "full" || front === "panel") return false;
    if (front === "question") return denyAll(app);
    if (app.editor.takesEscape()) return false;
    if (app.commandsOfPerson.stop()) return true;
    if (app.view().turn.running) {
      app.send({ type: "interrupt" });
      return true;
    }
    const now = performance.now();
    const twice = now - lastEscape < doublePressMs;
    lastEscape = twice ? Number.NEGATIVE_INFINITY : now;
    if (!twice) app.hint("Esc again goes back to an earlier message");
    else if (app.items().some((item) => item.kind === "user" && item.from === "person")) app.open(rewind);
    return true;
  }

  return {
    take(data) {
      if (matchesKey(data, "ctrl+c")) return cancel();
      lastCancel = Number.NEGATIVE_INFINITY;
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
      if (matchesKey(data, "ctrl+r") && app.editor.mode() !== "normal") {
        app.open(historySearch(app.editor.messages(), (message) => takeEarlier(app, message)));
        return true;
      }
      if (matchesKey(data, "ctrl+g")) {
        app.editOutside();
        return true;
      }
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

/**
 * Interrupts the turn for Esc at a permission question, which denies its calls. Returns false when Esc belongs to the note
 * of a denial or to the completion list of a message begun before the question came.
 */
function denyAll(app: KeyedApp): boolean {
  const question = app.question();
  if (question?.noting() === true) return false;
  if (question?.ready() === false && app.editor.isShowingAutocomplete()) return false;
  app.send({ type: "interrupt" });
  return true;
}

function takeEarlier(app: KeyedApp, message: string): void {
  app.putAside();
  app.edit(message);
}

function nextMode(app: KeyedApp): boolean {
  const mode = modes[(modes.indexOf(app.mode()) + 1) % modes.length] ?? "default";
  app.send({ type: "set-mode", mode });
  app.hint(`mode ${mode}`);
  return true;
}

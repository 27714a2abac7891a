/**
 * Handles the keys that work everywhere, such as Ctrl+C, Esc and Ctrl+O. All other keys go to the component that has
 * the focus.
 */
import { type KeyId, matchesKey } from "@earendil-works/pi-tui";
import type { PermissionMode } from "@localharness/protocol";
import type { App } from "./app.ts";
import { historySearch } from "./dialogs/history-search.ts";
import { rewind } from "./dialogs/rewind.ts";
import { transcriptViewer } from "./dialogs/transcript-viewer.ts";
import type { MessageEditor } from "./editor/message-editor.ts";
import type { PersonsCommands } from "./persons-command.ts";
import type { GoOn } from "./prompt/go-on.ts";
import type { PermissionPrompt } from "./prompt/permission-prompt.ts";

/** The app, with the functions of its screen that only keys need. */
export interface KeyedApp extends App {
  readonly screen: { drawAgain(): void };
  readonly editor: Pick<
    MessageEditor,
    "getText" | "isShowingAutocomplete" | "messages" | "mode" | "pasteImage" | "takesEscape"
  >;
  readonly commandsOfPerson: Pick<PersonsCommands, "stop">;
  readonly goOn: Pick<GoOn, "accept" | "close">;
  /** Returns the kind of component that gets the keys. */
  inFront(): "full" | "question" | "panel" | "editor";
  /** Returns the open permission question; undefined if there is none. */
  question(): Pick<PermissionPrompt, "noting" | "ready"> | undefined;
  /** Interrupts the turn and puts the queued messages back into the editor. */
  interrupt(): void;
  /** Clears the editor, and keeps its text as the last entry of the history. */
  putAside(): void;
  /** Closes the dialog that has the focus. Returns false if no dialog is open. */
  leaveDialog(): boolean;
  /** Suspends the program until the shell resumes it. */
  suspend(): void;
  /** Opens the draft in the person's own editor. */
  editOutside(): void;
  /** Shows a text in place of the status line until the next key press. */
  hint(text: string): void;
}

export interface KeyTable {
  /** Handles a key. Returns false if the key is for the component that has the focus. */
  take(data: string): boolean;
}

/** Within this time, two presses of Ctrl+C or of Esc, without another key between them, are a double press. */
const doublePressMs = 2_000;
const modes: readonly PermissionMode[] = ["default", "accept-edits", "auto", "plan"];

export function createKeyTable(app: KeyedApp): KeyTable {
  /** The key whose second press counts, which the hint on the screen says; undefined if there is none. */
  let awaited: "ctrl+c" | "escape" | undefined;
  let fading: NodeJS.Timeout | undefined;

  /** Shows the hint for exactly as long as a second press of the key counts. */
  function awaitSecond(key: "ctrl+c" | "escape", hint: string): void {
    awaited = key;
    app.hint(hint);
    fading = setTimeout(() => {
      awaited = undefined;
      app.hint("");
    }, doublePressMs).unref();
  }

  /** Returns true if this is the second press of a key. Any key ends the wait for a second press. */
  function isSecond(data: string): boolean {
    const second = awaited !== undefined && matchesKey(data, awaited);
    clearTimeout(fading);
    awaited = undefined;
    return second;
  }

  function cancel(second: boolean): boolean {
    if (second) {
      app.leave();
      return true;
    }
    const front = app.inFront();
    if (front === "full" || front === "panel") app.leaveDialog();
    else if (app.commandsOfPerson.stop()) app.hint("");
    else if (app.view().turn.running) app.interrupt();
    else app.putAside();
    awaitSecond("ctrl+c", "Ctrl+C again leaves");
    return true;
  }

  function leaveOrGoBack(second: boolean): boolean {
    const front = app.inFront();
    if (front === "full" || front === "panel") return false;
    if (front === "question") return denyAll(app);
    if (app.editor.takesEscape()) return false;
    if (app.commandsOfPerson.stop() || app.goOn.close()) return true;
    if (app.view().turn.running) {
      app.interrupt();
      return true;
    }
    if (!second) awaitSecond("escape", "Esc again goes back to an earlier message");
    else if (app.items().some((item) => item.kind === "user" && item.from === "person")) app.open(rewind);
    return true;
  }

  return {
    take(data) {
      const second = isSecond(data);
      if (matchesKey(data, "ctrl+c")) return cancel(second);
      if (matchesKey(data, "escape")) return leaveOrGoBack(second);
      if (doAction(app, data, everywhere)) return true;
      const front = app.inFront();
      if (front === "full" || front === "panel") return false;
      if (matchesKey(data, "ctrl+o")) {
        app.open(transcriptViewer, "full");
        return true;
      }
      if (front === "question") return false;
      if (matchesKey(data, "enter")) return app.editor.getText() === "" && app.goOn.accept();
      if (matchesKey(data, "shift+tab")) return nextMode(app);
      // In vim's normal mode Ctrl+R redoes.
      if (matchesKey(data, "ctrl+r") && app.editor.mode() === "normal") return false;
      if (doAction(app, data, atEditor)) return true;
      if (!matchesKey(data, "ctrl+d") || app.editor.getText() !== "") return false;
      app.leave();
      return true;
    },
  };
}

/** Returns true if the keys go to the editor, to a message that was begun before a question, or to a note. */
export function takesLines(app: KeyedApp): boolean {
  const front = app.inFront();
  if (front !== "question") return front === "editor";
  return app.question()?.noting() === true || app.editor.getText() !== "";
}

/**
 * Handles Esc at a permission question. Clears a slash command in the editor; otherwise interrupts the turn, which
 * denies its calls. Returns false if Esc belongs elsewhere: to the note of a denial, to the field of a plan, or to the
 * completion list of a message that was begun before the question.
 */
function denyAll(app: KeyedApp): boolean {
  const question = app.question();
  if (question?.noting() === true) return false;
  if (question?.ready() === false && app.editor.isShowingAutocomplete()) return false;
  if (app.editor.getText().startsWith("/")) {
    app.putAside();
    return true;
  }
  app.interrupt();
  return true;
}

type Actions = readonly (readonly [key: KeyId, action: (app: KeyedApp) => void])[];

const everywhere: Actions = [
  ["ctrl+l", (app) => app.screen.drawAgain()],
  ["ctrl+z", (app) => app.suspend()],
];

const atEditor: Actions = [
  ["ctrl+r", (app) => app.open(historySearch(app.editor.messages(), (message) => takeEarlier(app, message)))],
  ["ctrl+g", (app) => app.editOutside()],
  ["ctrl+v", (app) => app.editor.pasteImage()],
];

/** Runs the action that the table has for a key. Returns false if the table has no action for it. */
function doAction(app: KeyedApp, data: string, actions: Actions): boolean {
  const action = actions.find(([key]) => matchesKey(data, key))?.[1];
  action?.(app);
  return action !== undefined;
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

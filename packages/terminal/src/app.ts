/** Declares the `App` interface, through which slash commands and dialogs read and control the screen. */
import type { Component } from "@earendil-works/pi-tui";
import type {
  Command,
  CommandOn,
  Host,
  ImageContent,
  PermissionMode,
  SessionChoice,
  SessionLink,
  ShownTask,
  View,
} from "@localharness/protocol";
import type { Theme } from "./theme/theme.ts";
import type { DrawnItem } from "./transcript/item.ts";

export interface App {
  readonly host: Host;
  link(): SessionLink;
  view(): View;
  /** Returns the permission mode in force. */
  mode(): PermissionMode;
  theme(): Theme;
  setTheme(theme: Theme): void;
  /** Returns true if tool calls and results are drawn as raw JSON. */
  rawCalls(): boolean;
  setRawCalls(on: boolean): void;
  columns(): number;
  rows(): number;
  /** Returns the items of the transcript on this screen, oldest first. */
  items(): readonly DrawnItem[];
  /** Returns the model's task list, read from the results of its task tools. */
  tasks(): readonly ShownTask[];
  /** Returns the tokens of the newest request and its answer, as `Pace.windowUsed` does. */
  windowUsed(): number | undefined;
  /** Adds a notice to the transcript. Control characters are removed when it is drawn. */
  say(text: string, level?: "info" | "warning" | "error"): void;
  /**
   * Puts a text into the clipboard with an escape sequence of the terminal. Control characters are removed first.
   * Returns false if the text is too long for such a sequence.
   */
  copy(text: string): boolean;
  send(command: Command): void;
  /** Sends a message of the person to the model. An `@` in it names no file, and a slash begins no command. */
  submit(message: string): void;
  /**
   * Puts a text into the editor, before the text that is there. `images` are the images whose placeholders are in the text.
   */
  edit(text: string, images?: readonly ImageContent[]): void;
  /** Replaces the shown session. */
  show(link: SessionLink, isFork?: boolean): void;
  /**
   * Opens and shows another session, calls `opened`, then sends the messages typed meanwhile. Resolves to false if a turn is
   * running (the person gets a warning) or another session is already being opened. Rejects if the session cannot be opened.
   */
  openSession(which: SessionChoice, opened?: () => void): Promise<boolean>;
  /**
   * Shows a dialog, which gets the keys until it closes, in place of the editor ("panel", the default) or on the whole
   * screen ("full"). While a permission question is open, every dialog is on the whole screen.
   */
  open(dialog: Dialog, where?: "panel" | "full"): void;
  /** Requests a new frame. A dialog calls it when its content changes without a key press. */
  redraw(): void;
  /** Reads the name of the session again, for the terminal's title. */
  readName(): Promise<void>;
  leave(): void;
}

/** Makes a dialog. The dialog calls `close` to close itself and must handle Esc; Ctrl+C closes every dialog. */
export type Dialog = (app: App, close: () => void) => DialogComponent;

export interface DialogComponent extends Component {
  /** Called after the person has closed the dialog with Ctrl+C. */
  onLeave?(): void;
}

/**
 * Runs a slash command; `rest` is the trimmed text after its name. If it throws or rejects, the screen shows the error.
 */
export type CommandRun = (app: App, rest: string) => void | Promise<void>;

/** The functions of some slash commands. */
export type CommandRuns = Readonly<Partial<Record<CommandOn<"terminal">, CommandRun>>>;

/** What commands and dialogs get to see and may do: the one surface between them and the screen. */
import type { Component } from "@earendil-works/pi-tui";
import type {
  Command,
  Host,
  ImageContent,
  PermissionMode,
  SessionChoice,
  SessionLink,
  View,
} from "@localharness/protocol";
import type { ShownTask } from "./panels/task-list.ts";
import type { Theme } from "./theme/theme.ts";
import type { Item } from "./transcript/item.ts";

export interface App {
  readonly host: Host;
  link(): SessionLink;
  view(): View;
  /** The mode that holds. */
  mode(): PermissionMode;
  theme(): Theme;
  setTheme(theme: Theme): void;
  /** Calls and results are drawn as JSON. */
  rawCalls(): boolean;
  setRawCalls(on: boolean): void;
  columns(): number;
  rows(): number;
  /** The table of slash commands. */
  readonly commands: readonly SlashCommand[];
  /** The transcript of this screen, oldest first. */
  items(): readonly Item[];
  /** The model's tasks, as its tools have told of them. */
  tasks(): readonly ShownTask[];
  /** Tokens in the window after the newest request, as the server counted them. */
  windowUsed(): number | undefined;
  /** Text for the person, into the transcript; made harmless on the way. */
  say(text: string, level?: "info" | "warning" | "error"): void;
  send(command: Command): void;
  /** A message to the model, as if it had been typed. */
  submit(message: string): void;
  /** Puts text into the editor, with the images whose marks it has. */
  edit(text: string, images?: readonly ImageContent[]): void;
  /** Shows another session from now on. */
  show(link: SessionLink): void;
  /**
   * Opens another session and shows it; `opened` comes before what was typed meanwhile. False when a turn runs, which is
   * said, or when one is being opened already.
   */
  openSession(which: SessionChoice, opened?: () => void): Promise<boolean>;
  /** Shows a dialog in place of the editor, or on the whole screen; it has the keys until it is closed. */
  open(dialog: Dialog, where?: "panel" | "full"): void;
  /** Draws a frame soon; dialogs that change by themselves call it. */
  redraw(): void;
  leave(): void;
}

/** Makes a dialog. `close` takes it away; Esc is the dialog's own key, Ctrl+C leaves any. */
export type Dialog = (app: App, close: () => void) => DialogComponent;

export interface DialogComponent extends Component {
  /** Called when it was taken away because the person left it. */
  onLeave?(): void;
}

/** `/name`, without the slash. `rest` is what stands behind it, trimmed. A rejection is said to the person. */
export interface SlashCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  run(app: App, rest: string): void | Promise<void>;
}

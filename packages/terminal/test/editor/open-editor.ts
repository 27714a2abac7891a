/** Opens a message editor on a screen that is never started, so that tests can press its keys. */
import { PassThrough } from "node:stream";
import type { Host } from "@localharness/protocol";
import { MessageEditor } from "../../src/editor/message-editor.ts";
import { FrozenScreen } from "../../src/screen/frozen-screen.ts";
import { InputTerminal } from "../../src/screen/input-terminal.ts";
import { createTheme } from "../../src/theme/theme.ts";

export interface OpenedEditor {
  readonly editor: MessageEditor;
  /** The messages sent, newest last. */
  readonly sent: string[];
  /** Presses keys one by one; a text is typed letter by letter. */
  press(...keys: readonly string[]): void;
  /** Returns the text with `|` at the cursor. */
  shown(): string;
}

export const keys = {
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  backspace: "\u007f",
  enter: "\r",
  esc: "\u001b",
  newLine: "\u001b\r",
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96),
} as const;

type EditorHost = Pick<
  Host,
  "readImage" | "readClipboardImage" | "completePath" | "completeFolder" | "listCustomCommands"
>;

export function openEditor(
  host: Partial<EditorHost> = {},
  keys: "default" | "vim" = "default",
): OpenedEditor {
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const terminal = new InputTerminal(streams as never, () => undefined);
  const sent: string[] = [];
  const whole: EditorHost = {
    readImage: async () => ({ kind: "absent" }),
    readClipboardImage: async () => ({ kind: "absent" }),
    completePath: async () => [],
    completeFolder: async () => [],
    listCustomCommands: async () => [],
    ...host,
  };
  const editor = new MessageEditor({
    screen: new FrozenScreen(terminal),
    host: whole,
    theme: () => createTheme("none", {}),
    warn: () => undefined,
    keys,
    onMessage: (message, shown) => {
      editor.remember(shown);
      sent.push(message);
    },
  });
  return {
    editor,
    sent,
    press(...pressed) {
      for (const key of pressed) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters distinguish keys from text.
        const isKey = /^[\u0000-\u001f\u007f]/.test(key);
        for (const data of isKey ? [key] : key) editor.handleInput(data);
      }
    },
    shown() {
      const { line, col } = editor.getCursor();
      return editor
        .getLines()
        .map((text, at) => (at === line ? `${text.slice(0, col)}|${text.slice(col)}` : text))
        .join("\n");
    },
  };
}

/**
 * Extends pi-tui's editor: folds large pastes, attaches images, completes words, takes vim's keys and removes control
 * characters from inserted text.
 */
import { Editor, matchesKey, type TUI } from "@earendil-works/pi-tui";
import type { Host } from "@localharness/protocol";
import { pastedText, screenText } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";
import { bracketedPaste } from "./bracketed-paste.ts";
import { type CompletionHost, createCompletion } from "./completion.ts";
import { bindEditorKeys, editorKeys } from "./editor-keys.ts";
import { editorTheme } from "./editor-theme.ts";
import { createHeldImages, looksLikeImagePath } from "./held-images.ts";
import { createImageReader, type ImageReader } from "./image-reader.ts";
import { createLargePastes } from "./large-pastes.ts";
import { createNamedFiles } from "./named-files.ts";
import { cursorOffset, placeCursor } from "./place-cursor.ts";
import { editWithVim, type VimEditing } from "./vim/vim-editing.ts";

export type EditorKeys = "default" | "vim";

export interface EditorOptions {
  readonly screen: TUI;
  readonly host: Pick<Host, "readImage" | "readClipboardImage"> & CompletionHost;
  theme(): Theme;
  /** Shows a warning, for example why an image was refused. */
  warn(text: string): void;
  /** The key bindings of the editor; `default` if absent. */
  readonly keys?: EditorKeys;
  /**
   * Called when a message is sent. `message` is the full text; `shown` is the editor's text, in which placeholders
   * replace large pastes.
   */
  onMessage(message: string, shown: string): void;
}

export class MessageEditor extends Editor {
  readonly images = createHeldImages();
  readonly #host: EditorOptions["host"];
  readonly #reader: ImageReader;
  readonly #pastes = createLargePastes();
  readonly #files = createNamedFiles();
  readonly #vim: VimEditing | undefined;
  /** The message that was not sent, because the text of a paste in it is lost. A second Enter sends it as it is. */
  #warnedOf: string | undefined;
  #messages: readonly string[] = [];
  /** The message that ↑ put into the editor. While the cursor is at its end, ↑ recalls the message before it. */
  #recalled: string | undefined;
  /** True after an arrow key in the list of completions: Enter then inserts the chosen completion. */
  #chose = false;
  #columns = 80;

  constructor({ screen, host, theme, warn, keys, onMessage }: EditorOptions) {
    super(screen, editorTheme(theme), { autocompleteMaxVisible: maxCompletions });
    bindEditorKeys();
    if (keys === "vim") {
      this.#vim = editWithVim({
        read: () => ({ text: this.getText(), at: cursorOffset(this) }),
        write: ({ text, at }) => {
          if (text !== this.getText()) this.setText(text);
          placeCursor(this, at);
        },
        press: (data) => this.handleInput(data),
      });
    }
    this.setAutocompleteProvider(
      createCompletion(host, this.#files, {
        columns: () => this.#columns,
        dim: (text) => theme().style("dim", text),
      }),
    );
    this.#host = host;
    this.#reader = createImageReader({
      attach: (image) => this.insertTextAtCursor(this.images.hold(image)),
      warn,
      redraw: () => this.tui.requestRender(),
    });
    this.onSubmit = (shown) => {
      const [unknown] = this.#pastes.unknownIn(shown);
      if (unknown !== undefined && shown !== this.#warnedOf) {
        this.#warnedOf = shown;
        this.setText(shown);
        return warn(
          `${unknown} is no longer available: paste it again, or press Enter again to send the message as it is`,
        );
      }
      this.#warnedOf = undefined;
      this.#vim?.sent();
      const message = this.#pastes.unfold(shown);
      this.#pastes.sent();
      if (message.trim() !== "") onMessage(message, shown);
    };
  }

  paste(text: string): void {
    if (this.#reader.hold(() => this.paste(text))) return;
    if (looksLikeImagePath(text)) this.#reader.read(this.#host.readImage(text), () => this.#pasteText(text));
    else this.#pasteText(text);
  }

  /** Attaches the image in the clipboard. */
  pasteImage(): void {
    if (this.#reader.hold(() => this.pasteImage())) return;
    this.#reader.read(this.#host.readClipboardImage(), () => undefined);
  }

  #pasteText(text: string): void {
    const mark = this.#pastes.fold(text);
    if (mark === undefined) super.handleInput(bracketedPaste(pastedText(text)));
    else this.insertTextAtCursor(mark);
  }

  override handleInput(data: string): void {
    if (this.#reader.hold(() => this.handleInput(data))) return;
    if (!this.isShowingAutocomplete() && this.#vim?.take(data) === true) return;
    if (matchesKey(data, "backspace")) {
      const { line, col } = this.getCursor();
      const text = this.getLines()[line] ?? "";
      const mark = [this.#pastes, this.images, this.#files]
        .map((marks) => marks.markBefore(text, col))
        .find((found) => found !== undefined);
      // Backspace removes the whole placeholder, because half of a placeholder would be sent as plain text.
      if (mark !== undefined) for (let left = lettersOf(mark); left > 1; left -= 1) super.handleInput(data);
    }
    if (matchesKey(data, "enter") && this.isShowingAutocomplete() && !this.#chose && this.#isWhole()) {
      super.handleInput(editorKeys.escape);
    }
    this.#chose = this.isShowingAutocomplete() && (matchesKey(data, "up") || matchesKey(data, "down"));
    const before = this.getText();
    const goesOn = matchesKey(data, "up") && before === this.#recalled && this.#isAtEnd();
    super.handleInput(goesOn ? editorKeys.earlier : data);
    if (this.getText() === before || !isRecall(data)) return;
    // pi-tui leaves the cursor before the first letter, where Ctrl+U deletes nothing.
    this.#toEnd();
    this.#recalled = this.getText();
  }

  /** Returns true if the path before the cursor names a file, so that there is nothing to complete. */
  #isWhole(): boolean {
    const { line, col } = this.getCursor();
    return this.#files.isWhole((this.getLines()[line] ?? "").slice(0, col));
  }

  /** Draws the editor. In a low window the list of completions gets shorter, so that the typed line stays visible. */
  override render(width: number): string[] {
    const { rows } = this.tui.terminal;
    this.#columns = width;
    this.setAutocompleteMaxVisible(Math.min(maxCompletions, rows - rowsAround));
    return super.render(width).slice(0, Math.max(1, rows - 1));
  }

  /** Returns vim's mode; undefined if the editor does not use vim's keys. */
  mode(): "insert" | "normal" | undefined {
    return this.#vim?.mode();
  }

  /** Returns true if Esc is for the editor: it closes the list of completions, or it is a key of vim. */
  takesEscape(): boolean {
    return this.isShowingAutocomplete() || this.#vim?.takesEscape() === true;
  }

  #isAtEnd(): boolean {
    const { line, col } = this.getCursor();
    const lines = this.getLines();
    return line === lines.length - 1 && col === lines[line]?.length;
  }

  #toEnd(): void {
    const place = () => Object.values(this.getCursor()).join(":");
    for (let before = ""; before !== place(); ) {
      before = place();
      super.handleInput(editorKeys.pageDown);
    }
    super.handleInput(editorKeys.end);
  }

  protected override renderBottomBorder(width: number, hiddenLines: number): string {
    const border = hiddenLines > 0 ? undefined : this.#files.border(this.getText(), width);
    return border === undefined ? super.renderBottomBorder(width, hiddenLines) : this.borderColor(border);
  }

  override setText(text: string): void {
    super.setText(screenText(text));
  }

  override insertTextAtCursor(text: string): void {
    super.insertTextAtCursor(screenText(text));
  }

  /** Adds a message from an earlier session to the history. */
  rememberEarlier(message: string): void {
    this.#pastes.avoid(message);
    this.remember(message);
  }

  remember(message: string): void {
    const kept = screenText(message.length > maxKeptChars ? message.slice(0, maxKeptChars) : message);
    this.addToHistory(kept);
    this.#messages = [...this.#messages.filter((one) => one !== kept), kept].slice(-maxMessages);
  }

  /** Returns the messages of the history, newest first, each once. */
  messages(): readonly string[] {
    return this.#messages.toReversed();
  }
}

/** The maximum number of completions that are listed at once. */
const maxCompletions = 8;
/**
 * The rows that the list of completions leaves free: the editor with one line and two borders, the row that counts the
 * completions, and the status line.
 */
const rowsAround = 5;
const maxKeptChars = 20_000;
/** The number of messages in the history, the same as in pi-tui. */
const maxMessages = 100;

function isRecall(data: string): boolean {
  return matchesKey(data, "up") || matchesKey(data, "ctrl+p") || matchesKey(data, "ctrl+n");
}

/** Returns the number of graphemes in the text, which is the number of Backspace presses that remove it. */
function lettersOf(text: string): number {
  return [...new Intl.Segmenter().segment(text)].length;
}

/** Dialog that forks the session before an earlier message and puts that message into the editor. */
import { type Component, matchesKey } from "@earendil-works/pi-tui";
import { reasonOf } from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { screenLine } from "../plain-text.ts";
import type { Item } from "../transcript/item.ts";

type Message = Extract<Item, { kind: "user" }>;

export const rewind: Dialog = (app, close) => new Rewind(app, close);

class Rewind implements Component {
  readonly #app: App;
  readonly #close: () => void;
  readonly #messages: readonly Message[];
  #chosen: number;

  constructor(app: App, close: () => void) {
    this.#app = app;
    this.#close = close;
    this.#messages = app
      .items()
      .filter((item): item is Message => item.kind === "user" && item.from === "person");
    this.#chosen = this.#messages.length - 1;
  }

  invalidate(): void {}

  handleInput(data: string): void {
    if (matchesKey(data, "escape")) this.#close();
    else if (matchesKey(data, "up")) this.#chosen = Math.max(0, this.#chosen - 1);
    else if (matchesKey(data, "down")) this.#chosen = Math.min(this.#messages.length - 1, this.#chosen + 1);
    else if (matchesKey(data, "enter")) void this.#goBack();
  }

  async #goBack(): Promise<void> {
    const message = this.#messages[this.#chosen];
    this.#close();
    if (message === undefined) return;
    try {
      const { id } = this.#app.link();
      const { files } = await this.#app.host.listChanges();
      await this.#app.openSession({ kind: "fork", beforeSeq: message.seq }, () => {
        if (files.length > 0) {
          this.#app.say(
            `the files stay as they are; to take back what was changed: localharness undo --session ${id}`,
          );
        }
        this.#app.edit(message.text, message.images);
      });
    } catch (error) {
      this.#app.say(reasonOf(error), "error");
    }
  }

  render(width: number): string[] {
    const theme = this.#app.theme();
    const room = Math.max(3, Math.min(10, this.#app.rows() - 6));
    const first = Math.max(0, Math.min(this.#chosen - room + 1, this.#messages.length - room));
    const shown = this.#messages.slice(first, first + room).map(({ text }, index) => {
      const line = screenLine(text.slice(0, 400)).slice(0, width - 3);
      const chosen = first + index === this.#chosen;
      return chosen ? `${theme.style("accent", "›")} ${theme.style("selected", line)}` : `  ${line}`;
    });
    return [
      theme.style("title", "Go back to before which message?"),
      ...shown,
      theme.style("dim", "↑↓ choose · Enter goes back and edits it · Esc stays"),
    ];
  }
}

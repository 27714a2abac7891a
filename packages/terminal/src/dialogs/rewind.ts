/**
 * Dialog that goes back to before an earlier message: with the conversation, which then continues in a fork with that message in
 * the editor, with the files, or with both.
 */
import { type Component, matchesKey } from "@earendil-works/pi-tui";
import { countText, reasonOf } from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { screenLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import type { DrawnItemOf } from "../transcript/item.ts";
import { selectList } from "./select-list.ts";

type Message = DrawnItemOf<"user">;

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
    const later = this.#messages.slice(this.#chosen);
    this.#close();
    if (message === undefined) return;
    try {
      await chooseReach(this.#app, message, [...new Set(later.map(({ turnId }) => turnId))]);
    } catch (error) {
      this.#app.say(reasonOf(error), "error");
    }
  }

  render(width: number): string[] {
    const theme = this.#app.theme();
    const room = Math.max(3, Math.min(10, this.#app.rows() - 6));
    const first = Math.max(0, Math.min(this.#chosen - room + 1, this.#messages.length - room));
    const shown = this.#messages.slice(first, first + room).map(({ text }, index) => {
      const line = fitLine(screenLine(text.slice(0, 400)), width - 3);
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

/** Asks what goes back, if turns since the message have changed files. `turns` are those from the message on. */
async function chooseReach(app: App, message: Message, turns: readonly string[]): Promise<void> {
  const previews = await app.host.previewUndo(turns);
  const paths = [...new Set(previews.flatMap((one) => one.paths))].toSorted();
  const left = [...new Set(previews.flatMap((one) => one.left ?? []))].toSorted();
  if (paths.length === 0) {
    await goBack(app, message);
    return;
  }
  const alone = left.length === 0 ? "" : `; ${left.length} left alone: ${named(left)}`;
  const changed = `${countText(paths.length, "path")}: ${named(paths)}${alone}`;
  app.open(
    selectList({
      title: "What goes back to before this message?",
      empty: "",
      enter: "goes back",
      load: async () => [
        { id: "both", label: "Files and conversation", below: `undoes ${changed}` },
        { id: "conversation", label: "Conversation", below: "the files stay as they are" },
        { id: "files", label: "Files", below: `undoes ${changed}` },
      ],
      async onEnter({ id }, list) {
        list.close();
        const report = id === "conversation" ? undefined : await app.host.undoTurns(turns);
        if (id === "files") app.say(report?.lines.join("\n") ?? "");
        else await goBack(app, message, report?.lines);
      },
    }),
  );
}

const maxPaths = 5;

function named(paths: readonly string[]): string {
  return `${paths.slice(0, maxPaths).join(", ")}${paths.length > maxPaths ? ", ..." : ""}`;
}

/** Continues before the message in a fork. `undone` says what was undone before. */
async function goBack(app: App, message: Message, undone?: readonly string[]): Promise<void> {
  const { id } = app.link();
  const isChanged = undone === undefined && (await app.host.listChanges()).files.length > 0;
  await app.openSession({ kind: "fork", beforeSeq: message.seq }, () => {
    if (undone !== undefined) app.say(undone.join("\n"));
    if (isChanged) {
      app.say(`the files stay as they are; to take back what was changed: localharness undo --session ${id}`);
    }
    app.edit(message.text, message.images);
  });
}

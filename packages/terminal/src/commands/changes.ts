/** Commands about file changes: `/diff`, `/undo`, `/redo`. */
import {
  countText,
  type FileChange,
  judgedDiff,
  type SessionChanges,
  type UndoPreview,
} from "@localharness/protocol";
import { checkRedo, readUndoTurns } from "@localharness/protocol/command-texts";
import type { App, CommandRuns } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";
import { linesViewer } from "../dialogs/text-viewer.ts";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedLine } from "../plain-text.ts";
import { createTheme, type Theme } from "../theme/theme.ts";
import { wrapWords } from "../transcript/wrap-words.ts";

export const changeCommands = {
  async diff(app) {
    const changes = await app.host.listChanges();
    if (hasNone(changes)) return app.say(noChanges);
    app.open(
      linesViewer("Changes of this session", (width, theme) => changeLines(changes, width, theme)),
      "full",
    );
  },
  async undo(app, rest) {
    const turns = readUndoTurns(rest);
    if (isBusy(app)) return;
    const previews = await app.host.previewUndo(turns);
    const undo = async () => app.say((await app.host.undo(turns)).lines.join("\n"));
    if (previews.every(({ paths }) => paths.length === 0)) return undo();
    confirmUndo(app, previews, undo);
  },
  async redo(app, rest) {
    checkRedo(rest);
    if (!isBusy(app)) app.say((await app.host.redo()).lines.join("\n"));
  },
} satisfies CommandRuns;

const noChanges = "no tool has changed files in this session";

function hasNone({ files, notes }: SessionChanges): boolean {
  return files.length + notes.length === 0;
}

/** Returns the lines of `/diff` for the line chat, without styles. */
export function plainChangeLines(changes: SessionChanges, width: number): readonly string[] {
  return hasNone(changes) ? [noChanges] : changeLines(changes, width, createTheme("none", {}));
}

/** Returns true if a turn runs, and says so. */
function isBusy(app: App): boolean {
  const { running } = app.view().turn;
  if (running) app.say("a turn is running: Esc interrupts it", "warning");
  return running;
}

function confirmUndo(app: App, previews: readonly UndoPreview[], undo: () => Promise<void>): void {
  app.say(previews.flatMap(({ lines }) => lines).join("\n"));
  app.open(
    selectList({
      title:
        previews.length === 1
          ? "Undo the changes above?"
          : `Undo the ${countText(previews.length, "turn")} above?`,
      empty: "",
      enter: "answers",
      load: async () => [
        { id: "undo", label: "Undo", about: "/redo takes it back" },
        { id: "keep", label: "Leave the files as they are" },
      ],
      async onEnter({ id }, list) {
        list.close();
        if (id === "undo") await undo();
      },
    }),
  );
}

/** Returns the lines of `/diff`: the totals, one line for each file with its counts, the notes, and the diffs. */
function changeLines({ files, notes }: SessionChanges, width: number, theme: Theme): readonly string[] {
  const wrap = (text: string) => wrapWords(text, width);
  const sum = (of: "added" | "removed") => files.reduce((total, file) => total + (file[of] ?? 0), 0);
  const counts = countsText({ added: sum("added"), removed: sum("removed") }, theme);
  return [
    `${countText(files.length, "path")} ${counts}`,
    ...files.flatMap((file) => wrap(`  ${summary(file, theme)}`)),
    ...[...notes.map(judgedLine), "changes of commands are not counted"].flatMap((note) =>
      wrap(theme.style("dim", `  ${note}`)),
    ),
    ...files.flatMap((file) => diffLines(file, width, theme)),
  ];
}

function summary({ path, kind, note, ...counts }: FileChange, theme: Theme): string {
  const said = note === undefined ? "" : theme.style("warning", ` (${judgedLine(note)})`);
  return `${kind.padEnd(7)} ${theme.style("tool-name", judgedLine(path))} ${countsText(counts, theme)}${said}`;
}

function countsText({ added, removed }: Pick<FileChange, "added" | "removed">, theme: Theme): string {
  if (added === undefined || removed === undefined) return "";
  return `${theme.style("added", `+${added}`)} ${theme.style("removed", `-${removed}`)}`;
}

function diffLines({ diff = "" }: FileChange, width: number, theme: Theme): readonly string[] {
  return diff === "" ? [] : ["", ...drawDiff(judgedDiff(diff), width, theme)];
}

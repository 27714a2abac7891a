/** `/diff`: shows all file changes of this session. */

import {
  commandFacts,
  countText,
  type FileChange,
  judgedDiff,
  type SessionChanges,
} from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { linesViewer } from "../dialogs/text-viewer.ts";
import { drawDiff } from "../diff/draw-diff.ts";
import { judgedLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";
import { wrapWords } from "../transcript/wrap-words.ts";

export const diff: SlashCommand = {
  ...commandFacts.diff,
  async run(app) {
    const changes = await app.host.listChanges();
    if (changes.files.length + changes.notes.length === 0) {
      return app.say("no tool has changed files in this session");
    }
    app.open(
      linesViewer("Changes of this session", (width, theme) => changeLines(changes, width, theme)),
      "full",
    );
  },
};

/** Returns the lines of `/diff`: the totals, one line for each file with its counts, the notes, and the diffs. */
export function changeLines(
  { files, notes }: SessionChanges,
  width: number,
  theme: Theme,
): readonly string[] {
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

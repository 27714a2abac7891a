/** Completes words in the editor: commands after `/`, workspace paths after `@`. */
import { type AutocompleteItem, type AutocompleteProvider, visibleWidth } from "@earendil-works/pi-tui";
import type { Host } from "@localharness/protocol";
import { commandsOn } from "@localharness/protocol/command-texts";
import { judgedLine, screenText } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { markOf, type NamedFiles } from "./named-files.ts";

const maxPaths = 20;
const typedPath = /(?:^|\s)@("[^"]*|[^\s"]*)$/;

/** Matches the command whose words are the path of a folder. */
const typedFolder = /^\/add-dir\s+(?:remove\s+)?(\S*)$/;

export type CompletionHost = Pick<Host, "completePath" | "completeFolder" | "listCustomCommands">;

export interface CompletionList {
  /** Returns the number of columns of the list. */
  columns(): number;
  /** Styles the text after a command's name. */
  dim(text: string): string;
}

/** The columns of a row that pi-tui leaves free: the mark of the chosen row, and two at the end. */
const freeColumns = 4;
/** The columns of the widest command name that the texts of the other commands are aligned with. */
const maxNameColumns = 30;

export function createCompletion(
  host: CompletionHost,
  files: NamedFiles,
  list: CompletionList,
): AutocompleteProvider {
  return {
    async getSuggestions(lines, row, column, { signal }) {
      const before = (lines[row] ?? "").slice(0, column);
      if (row === 0 && /^\/\S*$/.test(before)) {
        const found = await commandRows(host, before.slice(1));
        const items = commandItems(found, list);
        return items.length === 0 || signal.aborted ? null : { items, prefix: before };
      }
      const folder = row === 0 ? typedFolder.exec(before)?.[1] : undefined;
      if (folder !== undefined) {
        const folders = await host.completeFolder(folder, maxPaths).catch(() => []);
        const items = folders.filter(isPlain).map((path) => rowItem(path, path, list));
        return items.length === 0 || signal.aborted ? null : { items, prefix: folder };
      }
      const typed = typedPath.exec(before)?.[1];
      if (typed === undefined) return null;
      const path = typed.replace(/^"/, "");
      const paths: readonly string[] = await host.completePath(path, maxPaths).catch(() => []);
      if (paths.includes(path)) files.found(path, false);
      const items = paths.filter(isPlain).map((path) => rowItem(markOf(path), path, list));
      return items.length === 0 || signal.aborted ? null : { items, prefix: `@${typed}` };
    },
    applyCompletion(lines, row, column, item, prefix) {
      const line = lines[row] ?? "";
      if (prefix.startsWith("@")) files.found(item.value.replace(/^@"?|"$/g, ""), true);
      // A folder that ends in a slash may be only the way to the one that is meant.
      const end = item.value.endsWith("/") && !prefix.startsWith("@") ? "" : " ";
      const head = `${line.slice(0, column - prefix.length)}${item.value}${end}`;
      const after = line.slice(column).replace(/^ /, "");
      return {
        lines: lines.map((one, index) => (index === row ? head + after : one)),
        cursorLine: row,
        cursorCol: head.length,
      };
    },
    // Paths begin with @, so Tab alone does not complete them.
    shouldTriggerFileCompletion: () => false,
  };
}

interface CommandRow {
  readonly name: string;
  readonly about: string;
}

async function commandRows(host: CompletionHost, typed: string): Promise<readonly CommandRow[]> {
  const commands = commandsOn("terminal");
  const own = await host.listCustomCommands().catch(() => []);
  const all = [
    ...commands.map(({ name, about }) => ({ name, about })),
    ...own,
    // Aliases come last, so that a short list shows commands.
    ...commands.flatMap(({ aliases = [], about }) => aliases.map((name) => ({ name, about }))),
  ];
  const exact = all.filter(({ name }) => name === typed);
  const begins = all.filter(({ name }) => name.startsWith(typed) && name !== typed);
  const holds = all.filter(({ name }) => !name.startsWith(typed) && typed.length > 1 && name.includes(typed));
  return [...exact, ...begins, ...holds];
}

function commandItems(rows: readonly CommandRow[], list: CompletionList): AutocompleteItem[] {
  const names = rows.map(({ name }) => `/${judgedLine(name)}`);
  const column = Math.min(maxNameColumns, Math.max(...names.map(visibleWidth)));
  return rows.map(({ name, about }, at) => {
    const shown = names[at] ?? "";
    const gap = " ".repeat(2 + Math.max(0, column - visibleWidth(shown)));
    return rowItem(`/${name}`, `${shown}${list.dim(`${gap}${judgedLine(about)}`)}`, list);
  });
}

/** Returns an item whose row is cut with `…` where the list ends. pi-tui itself cuts a row without a mark. */
function rowItem(value: string, row: string, list: CompletionList): AutocompleteItem {
  return {
    value,
    get label() {
      return fitLine(row, list.columns() - freeColumns);
    },
  };
}

function isPlain(path: string): boolean {
  return screenText(path) === path && !path.includes('"');
}

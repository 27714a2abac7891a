/** Completes words in the editor: commands after `/`, workspace paths after `@`. */
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import type { Host } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { judgedLine, screenText } from "../plain-text.ts";
import { markOf, type NamedFiles } from "./named-files.ts";

const maxPaths = 20;
const typedPath = /(?:^|\s)@("[^"]*|[^\s"]*)$/;

export type CompletionHost = Pick<Host, "completePath" | "listCustomCommands">;

export function createCompletion(
  host: CompletionHost,
  commands: readonly SlashCommand[],
  files: NamedFiles,
): AutocompleteProvider {
  return {
    async getSuggestions(lines, row, column, { signal }) {
      const before = (lines[row] ?? "").slice(0, column);
      if (row === 0 && /^\/\S*$/.test(before)) {
        const items = await commandItems(host, commands, before.slice(1));
        return items.length === 0 || signal.aborted ? null : { items, prefix: before };
      }
      const typed = typedPath.exec(before)?.[1];
      if (typed === undefined) return null;
      const path = typed.replace(/^"/, "");
      const paths: readonly string[] = await host.completePath(path, maxPaths).catch(() => []);
      if (paths.includes(path)) files.found(path, false);
      const items = paths.filter((path) => screenText(path) === path && !path.includes('"')).map(pathItem);
      return items.length === 0 || signal.aborted ? null : { items, prefix: `@${typed}` };
    },
    applyCompletion(lines, row, column, item, prefix) {
      const line = lines[row] ?? "";
      if (prefix.startsWith("@")) files.found(item.label, true);
      const head = `${line.slice(0, column - prefix.length)}${item.value} `;
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

async function commandItems(
  host: CompletionHost,
  commands: readonly SlashCommand[],
  typed: string,
): Promise<AutocompleteItem[]> {
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
  return [...exact, ...begins, ...holds].map(({ name, about }) => ({
    value: `/${name}`,
    label: `/${judgedLine(name)}`,
    description: judgedLine(about),
  }));
}

function pathItem(path: string): AutocompleteItem {
  return { value: markOf(path), label: path };
}

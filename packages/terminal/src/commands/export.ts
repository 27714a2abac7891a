/** `/export`: writes this session to a file as Markdown, JSON or HTML. */
import { commandFacts, type ExportFormat } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

const formats: ReadonlyMap<string, ExportFormat> = new Map([
  ["markdown", "markdown"],
  ["md", "markdown"],
  ["json", "json"],
  ["html", "html"],
]);

export const exportSession: SlashCommand = {
  ...commandFacts.export,
  async run(app, rest) {
    const [word = "markdown", ...more] = rest === "" ? [] : rest.split(/\s+/);
    const byEnding = formats.get(word.slice(word.lastIndexOf(".") + 1));
    const format = formats.get(word) ?? (word.includes(".") ? byEnding : undefined);
    if (format === undefined) return app.say(`expected markdown, json or html, got "${word}"`, "warning");
    const path = formats.has(word) ? more.join(" ") : word;
    app.say(`written to ${await app.host.exportSession(format, path === "" ? undefined : path)}`);
  },
};

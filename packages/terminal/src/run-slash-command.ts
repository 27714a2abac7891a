/** Runs the slash command that a text names: a built-in command or a custom command of the person. */
import { reasonOf } from "@localharness/protocol";
import type { App } from "./app.ts";
import { nearestCommand } from "./commands/nearest-command.ts";

/**
 * Runs the command that a text names. A text of several lines may be code that begins with a slash, so it runs only a custom
 * command. If there is none, calls `send` for a text of several lines or one that begins with a path, and warns of any other
 * unknown command. Without `send`, each text counts as one line. Never rejects: shows errors on the screen.
 */
export async function runSlashCommand(app: App, text: string, send?: () => void): Promise<void> {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text.slice(1).trim()) ?? [];
  const isLine = send === undefined || !text.trim().includes("\n");
  try {
    const command = app.commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
    if (isLine && command !== undefined) return await command.run(app, rest);
    const own = await app.host.listCustomCommands();
    if (own.some(({ name }) => name === word)) {
      return app.submit(await app.host.expandCustomCommand(word, rest));
    }
    if (send !== undefined && (!isLine || word.includes("/"))) return send();
    const names = app.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const near = nearestCommand(word, [...names, ...own.map(({ name }) => name)]);
    const hint = near === undefined ? "" : ` Did you mean /${near}?`;
    app.say(`unknown command /${word}.${hint} /help lists the commands.`, "warning");
  } catch (error) {
    app.say(reasonOf(error), "error");
    if (!isLine) app.edit(text);
  }
}

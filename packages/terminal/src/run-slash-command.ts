/** Runs the slash command that a text names: a built-in command or a custom command of the person. */
import { reasonOf } from "@localharness/protocol";
import { commandNamed, isWrongWords, unknownCommand } from "@localharness/protocol/command-texts";
import type { App } from "./app.ts";
import { slashCommands } from "./commands/slash-commands.ts";

/**
 * Runs the command that a text names. A text of several lines may be code that begins with a slash, so it runs only a custom
 * command. If there is none, calls `send` for a text of several lines or one that begins with a path, and warns of any other
 * unknown command. Without `send`, each text counts as one line. Never rejects: shows errors on the screen.
 */
export async function runSlashCommand(app: App, text: string, send?: () => void): Promise<void> {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(text.slice(1).trim()) ?? [];
  const isLine = send === undefined || !text.trim().includes("\n");
  try {
    const command = commandNamed("terminal", word);
    if (isLine && command !== undefined) return await slashCommands[command](app, rest);
    const own = (await app.host.listCustomCommands()).map(({ name }) => name);
    if (own.includes(word)) return app.submit(await app.host.expandCustomCommand(word, rest));
    if (send !== undefined && (!isLine || word.includes("/"))) return send();
    app.say(unknownCommand("terminal", word, own), "warning");
  } catch (error) {
    app.say(reasonOf(error), isWrongWords(error) ? "warning" : "error");
    if (!isLine) app.edit(text);
  }
}

/** Runs what a line that begins with a slash names: a command of the program, or one of the person's own. */
import type { App } from "./app.ts";
import { nearestCommand } from "./commands/nearest-command.ts";

export async function runSlashCommand(app: App, line: string): Promise<void> {
  const [word = "", ...words] = line.slice(1).trim().split(/\s+/);
  const rest = line.slice(1).trim().slice(word.length).trim();
  try {
    const command = app.commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
    if (command !== undefined) return await command.run(app, rest);
    const own = await app.host.listCustomCommands();
    if (own.some(({ name }) => name === word))
      return app.submit(await app.host.expandCustomCommand(word, words.join(" ")));
    const names = app.commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const near = nearestCommand(word, [...names, ...own.map(({ name }) => name)]);
    const hint = near === undefined ? "" : ` Did you mean /${near}?`;
    app.say(`unknown command /${word}.${hint} /help lists them.`, "warning");
  } catch (error) {
    app.say(error instanceof Error ? error.message : String(error), "error");
  }
}

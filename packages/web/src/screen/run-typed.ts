/** Does what the text of the composer says: a message, a `/command`, a `!command` for the shell. */
import { type ImageContent, reasonOf, suggestion } from "@localharness/protocol";
import type { Client } from "../session/client.ts";
import { commandNamed, runCommand, webCommands } from "./commands.ts";

/** Returns false when nothing was done, so that the text goes back into the composer. */
export async function runTyped(
  client: Client,
  text: string,
  images: readonly ImageContent[],
): Promise<boolean> {
  if (text.startsWith("!") && text.length > 1 && images.length === 0) {
    if (!(await client.openIfNone())) return false;
    void client.shell(text.replace(/^!+/, ""));
    return true;
  }
  const [, word, rest = ""] = /^\/([\w-]*|\?)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (word === undefined) return client.submit({ text, images });
  const command = commandNamed(word);
  // A text of several lines may be code or a path that begins with a slash.
  if (command !== undefined && !text.includes("\n")) return runCommand(client, command, rest.trim());
  return runOwn(client, word, rest.trim(), () => client.submit({ text, images }));
}

/**
 * Runs the custom command `word`. If there is none, calls `send` if `rest` has several lines, and otherwise warns the
 * person. Returns false if nothing was sent.
 */
async function runOwn(
  client: Client,
  word: string,
  rest: string,
  send: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (!(await client.openIfNone())) return false;
    const own = await client.call("listCustomCommands");
    if (own.some(({ name }) => name === word)) {
      return client.submit({ text: await client.call("expandCustomCommand", word, rest), images: [] });
    }
    if (rest.includes("\n")) return send();
    const names = [...webCommands.map(({ name }) => name), ...own.map(({ name }) => name)];
    client.tell(`There is no command /${word}.${suggestion(word, names, "/")}`, "warning");
    return false;
  } catch (error) {
    client.tell(reasonOf(error), "error");
    return false;
  }
}

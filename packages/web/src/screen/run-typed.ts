/** Does what the text of the composer says: a message, a `/command`, a `!command` for the shell. */
import { type ImageContent, reasonOf } from "@localharness/protocol";
import { commandNamed, unknownCommand } from "@localharness/protocol/command-texts";
import type { Client } from "../session/client.ts";
import type { KeptDraft } from "../session/kept-drafts.ts";
import { runCommand } from "./commands.ts";

/** Returns true if the text is a command of the page, which sends no message and takes no images. */
export function isPageCommand(text: string): boolean {
  const { word, isLine } = readSlash(text);
  return isLine && word !== undefined && commandNamed("browser", word) !== undefined;
}

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
  const slash = readSlash(text);
  const { word, rest, isLine } = slash;
  if (word === undefined) return client.submit({ text, images });
  const command = commandNamed("browser", word);
  if (command !== undefined && isLine) return runCommand(client, command, rest);
  return runOwn(client, { text, images }, slash);
}

interface Slash {
  /** The word after the slash. Absent for a text without one. */
  readonly word: string | undefined;
  readonly rest: string;
  readonly isLine: boolean;
}

/** Reads the word after the slash and the rest of the text. */
function readSlash(text: string): Slash {
  const [, word, rest = ""] = /^\/([\w-]*|\?)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  // A text of several lines may be code or a path that begins with a slash.
  return { word, rest: rest.trim(), isLine: !text.includes("\n") };
}

/**
 * Runs the custom command that the text names. If there is none, sends a text of several lines, and warns the person about
 * one line. Returns false if nothing was sent.
 */
async function runOwn(
  client: Client,
  { text, images }: KeptDraft,
  { word = "", rest, isLine }: Slash,
): Promise<boolean> {
  try {
    if (!(await client.openIfNone())) return false;
    const own = (await client.call("listCustomCommands")).map(({ name }) => name);
    if (own.includes(word)) {
      return client.submit({ text: await client.call("expandCustomCommand", word, rest), images });
    }
    if (!isLine) return client.submit({ text, images });
    client.tell(unknownCommand("browser", word, own), "warning");
    return false;
  } catch (error) {
    client.tell(reasonOf(error), "error");
    return false;
  }
}

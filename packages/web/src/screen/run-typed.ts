/** Does what the text of the composer says: a message, a `/command`, a `!command` for the shell. */
import type { ImageContent } from "@localharness/protocol";
import type { Client } from "../session/client.ts";

/** Returns false when nothing was done, so that the text goes back into the composer. */
export async function runTyped(
  client: Client,
  text: string,
  images: readonly ImageContent[],
): Promise<boolean> {
  if (text.startsWith("!") && text.length > 1 && images.length === 0) {
    if (client.session() === undefined && !(await client.open({ kind: "new" }))) return false;
    void client.shell(text.replace(/^!+/, ""));
    return true;
  }
  return client.submit({ text, images });
}

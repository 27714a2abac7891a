/** `/status`: shows the state of the program and the session on one screen. */
import { commandFacts, type StatusRow } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { screenLine } from "../plain-text.ts";

export const status: SlashCommand = {
  ...commandFacts.status,
  async run(app) {
    app.say(statusLines(await app.host.describeStatus(), app.windowUsed()).join("\n"));
  },
};

/** Returns the lines of `/status`. `used` is the number of tokens in the context window after the newest request. */
export function statusLines(rows: readonly StatusRow[], used: number | undefined): readonly string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.map(({ name, value }) => {
    const counted = name === "context" && used !== undefined ? `${used} tokens used, ` : "";
    return `${name.padEnd(width)}  ${counted}${screenLine(value)}`;
  });
}

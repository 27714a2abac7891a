/** Checks `/copy` in a real terminal: the bytes that put a text into the clipboard, and what it says. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** Returns the texts that the program has put into the clipboard. */
function copied(terminal: Emulated): readonly string[] {
  return terminal
    .bytes()
    .split("\u001b]52;c;")
    .slice(1)
    .map((rest) => Buffer.from(rest.slice(0, rest.indexOf("\u0007")), "base64").toString("utf8"));
}

describe.skipIf(!hasScript())("/copy (needs util-linux script)", () => {
  test("copies the last answer, a code block by its number, or one chosen from a list", async () => {
    const answer = "Two:\n\n```sh\necho \u001b[2Jone\n```\n\n```ts\n\tlet two;\n```\n\nThat is all.\n";
    server.use({ turns: [{ text: "Hello." }, { text: answer }] });
    const terminal = await openTerminal({ server, rows: 40 });
    terminal.type("/copy\r");
    await terminal.waitFor("there is no answer to copy yet");
    terminal.type("hi\r");
    await terminal.waitFor("Hello.");
    terminal.type("/copy\r");
    await terminal.waitFor("copied the last answer, 6 B");
    terminal.type("code\r");
    // The last block is whole once a later line is shown.
    await terminal.waitFor("That is all.");
    terminal.type("/copy 2\r");
    await terminal.waitFor("copied code block 2 (ts)");
    terminal.type("/copy\r");
    await terminal.waitFor("▸ the last answer");
    terminal.press("down", "enter");
    await terminal.waitFor("copied code block 1 (sh)");
    terminal.type("/copy 3\r");
    await terminal.waitFor("the last answer has 2 code blocks");
    expect(copied(terminal)).toEqual(["Hello.", "\tlet two;\n", "echo [2Jone\n"]);
    terminal.close();
  });
});

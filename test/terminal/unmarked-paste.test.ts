/** Checks pastes of a terminal that does not mark them: their lines come as keys, in one burst. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** Returns the last message of the person in the model's last request. */
function sent(): unknown {
  const body = server.chats.at(-1)?.body as ChatBody | undefined;
  return body?.messages.findLast(({ role }) => role === "user")?.content;
}

describe.skipIf(!hasScript())("a paste without marks (needs util-linux script)", () => {
  test("is one message, which Enter sends", async () => {
    server.use({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
    const terminal = await openTerminal({ server });
    terminal.type("kettle:\r\tfill\r\tboil\r");
    await terminal.waitFor(/─\nkettle: *\n {4}fill *\n {4}boil *\n *\n─/);
    terminal.type("then pour");
    await terminal.waitFor("then pour");
    expect(server.chats).toHaveLength(0);
    terminal.press("enter");
    await terminal.waitFor("One.");
    expect(sent()).toBe("kettle:\n    fill\n    boil\nthen pour");
    terminal.type("/quit\nnot a command");
    await terminal.waitFor(/─\n\/quit *\nnot a command *\n─/);
    terminal.press("ctrl+c");
    await terminal.until("an empty editor", () => !terminal.screen().includes("not a command"));
    const rows = Array.from({ length: 200 }, (_, row) => `row ${row}\tof a long paste`);
    terminal.type(rows.join("\r"));
    await terminal.waitFor(/\[Pasted [\s\S]*─\n/);
    await terminal.settled();
    terminal.press("enter");
    await terminal.waitFor("Two.");
    expect(String(sent()).replaceAll("    ", "\t").split("\n")).toEqual(rows);
    terminal.type("a line that is typed\r");
    await terminal.waitFor("Three.");
    expect(sent()).toBe("a line that is typed");
    terminal.close();
  });

  test("at a question it becomes the note of a denial, whole", async () => {
    const write = { name: "write_file", arguments: { path: "tea.txt", content: "green\n" } };
    server.use({ turns: [{ calls: [write] }, { text: "Left it." }] });
    const place = makePlace({ "tea.txt": "black\n" });
    const terminal = await openTerminal({ server, place });
    terminal.type("change it\r");
    await terminal.waitFor("[1] Allow Once");
    terminal.type("1\ris wrong\rleave it");
    await terminal.waitFor(/Enter:\s+> 1 is wrong leave it/);
    terminal.type(" as it\ris");
    await terminal.waitFor("leave it as it is");
    expect(readFileSync(join(place.workspace, "tea.txt"), "utf8")).toBe("black\n");
    terminal.press("enter");
    await terminal.waitFor("Left it.");
    expect(JSON.stringify(server.chats.at(-1)?.body)).toContain("1 is wrong leave it as it is");
    expect(readFileSync(join(place.workspace, "tea.txt"), "utf8")).toBe("black\n");
    terminal.close();
  });
});

/** Checks files that a message names with `@`: on the screen, line by line, and with `-p`. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, run } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();
const files = { "src/tea pot.ts": "pour();\n", "README.md": "# Tea\nGreen.\n", ".env": "KEY=1\n" };
const given = (path: string, data: string) =>
  `The file "${path}", which the person attached, as read_file returns it:\n${data}`;

/** Returns what the person's messages say in the model's last request, one after another. */
function sent(): string {
  const body = server.chats.at(-1)?.body as { messages: { role: string; content: unknown }[] } | undefined;
  const users = (body?.messages ?? []).filter(({ role }) => role === "user");
  return users.map(({ content }) => String(content)).join("\n\n");
}

describe.skipIf(!hasScript())("files named with @ (needs util-linux script)", () => {
  test("are marked below the editor, go along with the message, and can be removed and rewound", async () => {
    server.use({ turns: [{ text: "It pours." }, { text: "Again." }] });
    const terminal = await openTerminal({ server, place: makePlace(files) });
    terminal.type("what does @tea");
    await terminal.waitFor("→ src/tea pot.ts");
    terminal.press("enter");
    await terminal.waitFor('what does @"src/tea pot.ts"');
    await terminal.waitFor("── attaches src/tea pot.ts ─");
    terminal.press("backspace", "backspace");
    await terminal.until("removal", () => !terminal.screen().includes("tea pot"));
    terminal.type('@"src/tea pot.ts":1 do?\r');
    await terminal.waitFor("It pours.");
    expect(sent()).toBe(`what does @"src/tea pot.ts":1 do?\n\n${given("src/tea pot.ts", "1: pour();")}`);
    expect(terminal.everything()).toContain("@ src/tea pot.ts attached · 1 line, ");
    expect(terminal.everything()).not.toContain("pour();");
    terminal.press("ctrl+o");
    await terminal.waitFor("Esc back");
    terminal.press("up", "enter");
    await terminal.waitFor("1: pour();");
    terminal.press("esc");
    await terminal.waitFor("attached");
    await terminal.pressTwice("esc", "Go back to before which message?");
    terminal.press("enter");
    await terminal.waitFor(/─{10}\n.*what does @"src\/tea pot\.ts":1 do\?/);
    terminal.press("enter");
    await terminal.waitFor(/It pours\.[\s\S]*It pours\./);
    expect(sent().split("which the person attached")).toHaveLength(2);
    terminal.close();
  });

  test("a file of secrets and a missing one go along as names, and the person is told", async () => {
    server.use({ turns: [{ text: "I cannot see them." }] });
    const terminal = await openTerminal({ server, place: makePlace(files), cols: 140 });
    terminal.type("compare @.env with @no/such.md \r");
    await terminal.waitFor("I cannot see them.");
    expect(terminal.everything()).toMatch(
      /@\.env goes to the model as a name only: "\.env" usually holds passwords/,
    );
    expect(terminal.everything()).toMatch(
      /@no\/such\.md goes to the model as a name only: "no\/such\.md" does not/,
    );
    expect(sent()).toBe("compare @.env with @no/such.md");
    terminal.close();
  });
});

const wire = () => ["--base-url", server.baseUrl, "--model", "fake-model"];

test("with -p a message names files, the text piped in names none", async () => {
  server.use({ turns: [{ text: "A readme." }] });
  const place = makePlace(files);
  const ended = await run(["-p", "@README.md summarise", ...wire()], {
    place,
    stdin: "see @src/x and @.env",
  });
  expect(ended).toMatchObject({ code: 0, stdout: "A readme.\n" });
  expect(ended.stderr).not.toContain("name only");
  expect(sent()).toBe(
    `@README.md summarise\n\nsee @src/x and @.env\n\n${given("README.md", "1: # Tea\n2: Green.")}`,
  );
});

test("with -p, words of several lines name no files", async () => {
  server.use({ turns: [{ text: "I see." }] });
  const ended = await run(["-p", "look at this issue:\nsee @README.md", ...wire()], {
    place: makePlace(files),
  });
  expect(ended.code).toBe(0);
  expect(sent()).toBe("look at this issue:\nsee @README.md");
});

test("with -p an image is attached too", async () => {
  server.use({ turns: [{ text: "A point." }] });
  const place = makePlace();
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", "base64");
  writeFileSync(join(place.workspace, "dot.png"), png);
  const ended = await run(["-p", "what is @dot.png? Not @none.png", ...wire()], { place });
  expect(ended).toMatchObject({ code: 0, stdout: "A point.\n" });
  expect(ended.stderr).toContain("@none.png goes to the model as a name only: there is no such file");
  expect(JSON.stringify(server.chats.at(-1)?.body)).toContain(png.toString("base64"));
});

test("line by line, a message names files", async () => {
  server.use({ turns: [{ text: "A readme." }] });
  const place = makePlace(files);
  const ended = await run(["--interactive", ...wire()], { place, stdin: "what is @README.md\n" });
  expect(ended.stdout).toContain("A readme.");
  expect(sent()).toBe(`what is @README.md\n\n${given("README.md", "1: # Tea\n2: Green.")}`);
});

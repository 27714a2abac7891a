/** Checks images on the screen: pasted by path, named in the transcript, sent with the message, refused for blind models. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, type Place } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** A PNG of one red point, followed by zeros. */
const point = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);
const png = Buffer.concat([point, Buffer.alloc(3_000 - point.length)]);
const mark = "[Image my pic.png, 3 KB]";

function placeWithImage(): { readonly place: Place; readonly path: string } {
  const place = makePlace({ "notes.md": "x" });
  writeFileSync(join(place.workspace, "dot.png"), png);
  const path = join(place.home, "my pic.png");
  writeFileSync(path, png);
  return { place, path };
}

/** Returns the last message of the model's last request. */
function sent(): unknown {
  const { messages } = (server.chats.at(-1)?.body ?? { messages: [] }) as {
    messages: { role: string; content: unknown; images?: unknown }[];
  };
  return messages.findLast(({ role }) => role === "user");
}

const parts = (text: string) => ({
  role: "user",
  content: [
    { type: "text", text },
    { type: "image_url", image_url: { url: `data:image/png;base64,${png.toString("base64")}` } },
  ],
});

describe.skipIf(!hasScript())("images on the screen (needs util-linux script)", () => {
  test("a pasted path attaches an image; a rewound message has it again; @ attaches one too", async () => {
    const { place, path } = placeWithImage();
    server.use({ turns: [{ text: "A point." }, { text: "Another." }] });
    const terminal = await openTerminal({ server, place });
    terminal.paste(path.replace(" ", "\\ "));
    await terminal.waitFor(mark);
    terminal.press("backspace");
    await terminal.until("removal", () => !terminal.screen().includes("Image my"));
    // Text typed while the file is read comes after the image.
    terminal.type("see ");
    terminal.paste(path);
    terminal.type(" what is it?\r");
    await terminal.waitFor("A point.");
    expect(terminal.screen()).toContain(`› see ${mark} what is it?`);
    expect(sent()).toEqual(parts(`see ${mark} what is it?`));
    terminal.paste("/no/such/pic.png");
    await terminal.waitFor("/no/such/pic.png");
    terminal.press("ctrl+c");
    await terminal.settled();
    terminal.press("esc");
    await terminal.waitFor("Esc again");
    await terminal.pressTwice("esc", "Go back to before which message?");
    terminal.press("enter");
    await terminal.waitFor(/─{10}\n.*see \[Image my pic/);
    terminal.press("enter");
    await terminal.waitFor(/A point\.[\s\S]*A point\./);
    expect(sent()).toEqual(parts(`see ${mark} what is it?`));
    terminal.type("and @dot.png \r");
    await terminal.waitFor("Another.");
    expect(sent()).toEqual(parts("and @dot.png"));
    expect(terminal.everything()).toContain("[Image dot.png, 3 KB]");
    expect(terminal.everything()).not.toContain("iVBOR");
    terminal.close();
  });

  test("a model without vision refuses it, and the message goes back to the editor", async () => {
    const { place, path } = placeWithImage();
    server.use({ turns: [{ text: "I read." }] });
    const args = ["--provider", "ollama", "--base-url", server.origin, "--model", "fake-model"];
    const terminal = await openTerminal({ place, args });
    terminal.paste(path);
    await terminal.waitFor(mark);
    terminal.press("enter");
    await terminal.waitFor("fake-model sees no images; /model lists the models that do");
    await terminal.waitFor(/─{10}\n.*\[Image my pic\.png, 3 KB\]/);
    expect(server.chats).toHaveLength(0);
    terminal.press("backspace");
    terminal.type("look at @dot.png \r");
    await terminal.waitFor("I read.");
    expect(terminal.everything()).toContain("@dot.png is sent as a name only");
    expect(sent()).toEqual({ role: "user", content: "look at @dot.png" });
    terminal.close();
  });

  test("Ctrl+V attaches the clipboard's image with the system's program, and says when there is none", async () => {
    const { place } = placeWithImage();
    const bin = join(place.home, "bin");
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    server.use({ turns: [{ text: "A point." }] });
    mkdirSync(bin);
    const picture = join(place.workspace, "dot.png");
    const script = `#!/bin/sh\n[ -e '${bin}/full' ] && exec cat '${picture}'\nexit 1\n`;
    writeFileSync(join(bin, process.platform === "darwin" ? "pngpaste" : "wl-paste"), script, {
      mode: 0o755,
    });
    const terminal = await openTerminal({ server, place, env });
    terminal.press("ctrl+v");
    await terminal.waitFor("the clipboard holds no image");
    writeFileSync(join(bin, "full"), "");
    terminal.press("ctrl+v");
    await terminal.waitFor("[Image clipboard.png, 3 KB]");
    terminal.press("enter");
    await terminal.waitFor("A point.");
    expect(sent()).toEqual(parts("[Image clipboard.png, 3 KB]"));
    terminal.close();
  });
});

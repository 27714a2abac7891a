/** Checks what a person puts into a message besides text, and what the desktop is told while the page is hidden. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { configure, makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const served = await serve(model, {
  place: makePlace({
    "src/tea.ts": "export const tea = 1;\n",
    "src/tea pot.ts": "pour();\n",
    "README.md": "# Tea\n",
  }),
});
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const sent = () => JSON.stringify(model.chats.at(-1)?.body);
const message = (page: Page) => page.getByLabel("Message to the model");

/** Gives the page's field the files as the browser does for the event `paste` or `drop`. */
async function give(page: Page, event: "paste" | "drop", files: readonly string[]): Promise<void> {
  const fire = `(field, files) => {
    const data = new DataTransfer();
    for (const base64 of files) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], "image.png", { type: "image/png" }));
    }
    const init = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
    field.dispatchEvent("${event}" === "paste" ? new ClipboardEvent("paste", init) : new DragEvent("drop", init));
  }`;
  await page.evaluate(`(${fire})(document.querySelector("#message"), ${JSON.stringify(files)})`);
}

test("images that are pasted and dropped go along with the message, except one that is removed", async () => {
  model.use({ turns: [{ text: "Two pixels." }] });
  const { page, close } = await openTab(served);
  const images = page.getByRole("list", { name: "Images of the message" }).getByRole("img");
  await give(page, "paste", [pixel]);
  await expect.poll(() => images.count()).toBe(1);
  await give(page, "drop", [pixel, pixel]);
  await expect.poll(() => images.count()).toBe(3);
  await page
    .getByRole("button", { name: /^Remove/ })
    .first()
    .click();
  await expect.poll(() => images.count()).toBe(2);
  await give(page, "drop", [Buffer.from("plain text").toString("base64")]);
  await page.getByText("not a PNG, JPEG, GIF or WebP image").waitFor();
  await say(page, "what are these");
  await answer(page, "Two pixels.");
  expect(sent().split(pixel)).toHaveLength(3);
  expect(await images.count()).toBe(0);
  await close();
});

test("an image stays in the draft of its session, and is not sent in another one", async () => {
  model.use({ turns: [{ text: "The first answer." }, { text: "A pixel." }] });
  const { page, close } = await openTab(served);
  const images = page.getByRole("list", { name: "Images of the message" }).getByRole("img");
  await say(page, "of the first session");
  await answer(page, "The first answer.");
  await give(page, "paste", [pixel]);
  await expect.poll(() => images.count()).toBe(1);
  await message(page).fill("look at this");
  await page.getByRole("button", { name: "New session" }).first().click();
  await expect.poll(() => message(page).inputValue()).toBe("");
  expect(await images.count()).toBe(0);
  await say(page, "of the second session");
  await answer(page, "The first answer.");
  expect(sent()).not.toContain(pixel);
  await page.getByRole("link", { name: /^of the first session/ }).click();
  await expect.poll(() => message(page).inputValue()).toBe("look at this");
  expect(await images.count()).toBe(1);
  await message(page).press("Enter");
  await answer(page, "A pixel.");
  expect(sent()).toContain(pixel);
  await close();
});

test("a command that leaves the session leaves the images of its draft there", async () => {
  model.use({ turns: [{ text: "The answer." }] });
  const { page, close } = await openTab(served);
  const images = page.getByRole("list", { name: "Images of the message" }).getByRole("img");
  await message(page).fill("the draft of a new session");
  await page.reload();
  await expect.poll(() => message(page).inputValue()).toBe("the draft of a new session");
  await say(page, "of this session");
  await answer(page, "The answer.");
  await give(page, "paste", [pixel]);
  await expect.poll(() => images.count()).toBe(1);
  await say(page, "/clear");
  await page.waitForURL((url) => url.pathname === "/");
  await expect.poll(() => message(page).inputValue()).toBe("");
  expect(await images.count()).toBe(0);
  await page.getByRole("link", { name: /^of this session/ }).click();
  await expect.poll(() => images.count()).toBe(1);
  expect(await message(page).inputValue()).toBe("");
  await close();
});

test("an image stays where a command of the page runs, and goes along with a command of the person", async () => {
  configure(served.place, "commands/look.md", "Look closely at $ARGUMENTS.");
  model.use({ turns: [{ text: "A pixel." }] });
  const { page, close } = await openTab(served);
  const images = page.getByRole("list", { name: "Images of the message" }).getByRole("img");
  await give(page, "paste", [pixel]);
  await expect.poll(() => images.count()).toBe(1);
  await say(page, "/theme dark");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await images.count()).toBe(1);
  await say(page, "/look the dot");
  await answer(page, "A pixel.");
  expect(sent()).toContain("Look closely at the dot.");
  expect(sent()).toContain(pixel);
  expect(await images.count()).toBe(0);
  await close();
});

test.each([
  ["a name that no command has", "/x\ncode"],
  ["the name of a command", "/model\ncode"],
])("a text of two lines that begins with %s is sent", async (_what, text) => {
  model.use({ turns: [{ text: "Seen." }] });
  const { page, close } = await openTab(served);
  await say(page, text);
  await answer(page, "Seen.");
  expect(sent()).toContain(JSON.stringify(text).slice(1, -1));
  await close();
});

test("a text that is pasted stays text", async () => {
  const { page, context, close } = await openTab(served);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate("navigator.clipboard.writeText('<b>from elsewhere</b>\\nsecond line')");
  await message(page).focus();
  await page.keyboard.press("Control+v");
  expect(await message(page).inputValue()).toBe("<b>from elsewhere</b>\nsecond line");
  await close();
});

test("/copy copies the last answer, and with a number that code block", async () => {
  const text = "Two:\n\n```sh\nls\n```\n\n- in a list:\n\n  ```ts\n  pour();\n  ```\n";
  model.use({ turns: [{ text }] });
  const { page, context, close } = await openTab(served);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await say(page, "two blocks");
  await answer(page, "in a list");
  const messages = page.getByRole("status", { name: "Messages" });
  for (const [command, said, copied] of [
    ["/copy", "the last answer is copied", text],
    ["/copy 2", "code block 2 is copied", "pour();"],
    ["/copy 3", "the last answer has 2 code blocks: /copy, /copy NUMBER", "pour();"],
  ] as const) {
    await say(page, command);
    await messages.getByText(said).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(copied);
  }
  await close();
});

test("@ completes paths with the keyboard, before the first message and in a session", async () => {
  model.use({ turns: [{ text: "Read." }, { text: "Read again." }] });
  const { page, close } = await openTab(served);
  const list = page.getByRole("listbox", { name: "Paths" });
  await message(page).pressSequentially("see @tea");
  await list.getByRole("option", { name: "src/tea.ts" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect.poll(() => list.count()).toBe(0);
  await message(page).pressSequentially(".t");
  await list.waitFor();
  await page.keyboard.press("Tab");
  expect(await message(page).inputValue()).toBe("see @src/tea.ts ");
  await page.keyboard.press("Enter");
  await answer(page, "Read.");
  expect(sent()).toContain("export const tea = 1;");

  await message(page).pressSequentially("and @pot");
  await list.getByRole("option", { name: "src/tea pot.ts" }).click();
  expect(await message(page).inputValue()).toBe('and @"src/tea pot.ts" ');
  await page.keyboard.press("Enter");
  await answer(page, "Read again.");
  expect(sent()).toContain("pour();");
  await close();
});

interface Told {
  readonly title: string;
  readonly body: string;
}

test("a page that is hidden tells the desktop of a question and of the end, once the person asked for it", async () => {
  const call = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
  model.use({ turns: [{ calls: [call] }, { text: "It is written." }, { text: "Seen." }] });
  const { page, context, close } = await openTab(served);
  await context.grantPermissions(["notifications"], { origin: served.address });
  await page.addInitScript(`
    window.told = [];
    window.Notification = class extends Notification {
      constructor(title, options) {
        super(title, options);
        window.told.push({ title, body: options.body });
      }
    };
    Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
  `);
  await page.reload();
  const told = () => page.evaluate<readonly Told[]>("window.told");
  const leave = (away: boolean) => page.evaluate(`window.isAway = ${away}`);
  await page.getByRole("button", { name: "Settings" }).click();
  const wanted = page.getByRole("switch", { name: "Notifications" });
  await wanted.click();
  await expect.poll(() => wanted.getAttribute("aria-checked")).toBe("true");
  await page.keyboard.press("Escape");
  await leave(true);
  await say(page, "write it");
  await expect
    .poll(async () => (await told()).map(({ body }) => body))
    .toEqual([expect.stringMatching(/^Permission needed: write_file, can be undone here\.$/)]);
  await leave(false);
  await question(page);
  // A hidden page takes no answer, so the person leaves right after the click.
  await page.evaluate(`
    [...document.querySelectorAll("button")].find((one) => one.textContent.includes("Allow once")).click();
    window.isAway = true;
  `);
  await expect
    .poll(async () => (await told()).at(-1))
    .toEqual({
      title: "write it",
      body: "Answer: It is written.",
    });
  await leave(false);
  await say(page, "and while I look");
  await answer(page, "Seen.");
  expect(await told()).toHaveLength(2);
  await close();
});

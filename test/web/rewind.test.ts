/** A message in the browser goes back to before it: files and conversation, conversation, or files. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { answer, openTab, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const place = makePlace();
const served = await serve(model, { place, args: ["--mode", "bypass"] });
const text = () => readFileSync(join(place.workspace, "a.txt"), "utf8");

/** Has a session in which the second turn, and then the person, changes files. Chooses to go back to before the second message. */
async function goBack(page: Page): Promise<void> {
  writeFileSync(join(place.workspace, "a.txt"), "one\n");
  rmSync(join(place.workspace, "b.txt"), { force: true });
  model.use({
    turns: [
      { text: "The first answer." },
      { calls: [{ name: "bash", arguments: { command: "echo two > a.txt; echo new > b.txt" } }] },
      { text: "The second answer." },
    ],
  });
  await say(page, "the first");
  await answer(page, "The first answer.");
  await say(page, "the second");
  await answer(page, "The second answer.");
  await say(page, "!echo three >> a.txt; exit 4");
  await page.getByText("exit code 4").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  await page.getByRole("article", { name: "Your message" }).last().hover();
  await page.getByRole("button", { name: "Go back to before this message" }).last().click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByText(/undoes 2 paths:\nyour command, 1 path\n +changed by +!command `echo three/)
    .waitFor();
  expect(await dialog.textContent()).toMatch(/"the second", 2 paths[\s\S]*removes +b\.txt \(\+1\)/);
}

const choose = (page: Page, name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

test("files and conversation", async () => {
  const { page, close } = await openTab(served);
  await goBack(page);
  const before = page.url();
  await choose(page, "Files and conversation");
  await page
    .getByRole("dialog")
    .getByText(/undone: "the second", 2 paths/)
    .waitFor();
  await page.keyboard.press("Escape");
  expect([text(), existsSync(join(place.workspace, "b.txt"))]).toEqual(["one\n", false]);
  expect(page.url()).not.toBe(before);
  await expect.poll(() => page.getByLabel("Message to the model").inputValue()).toBe("the second");
  const chats = model.chats.length;
  await page.getByLabel("Message to the model").press("Enter");
  await expect.poll(() => model.chats.length).toBeGreaterThan(chats);
  const sent = JSON.stringify(model.chats[chats]?.body);
  expect(sent).toContain("The first answer.");
  expect(sent).not.toContain("The second answer.");
  await answer(page, "The second answer.");
  await close();
});

test("the conversation alone", async () => {
  const { page, close } = await openTab(served);
  await goBack(page);
  await choose(page, "Conversation");
  await expect.poll(() => page.getByLabel("Message to the model").inputValue()).toBe("the second");
  expect(text()).toBe("two\nthree\n");
  await close();
});

test("the files alone, and nothing with Cancel", async () => {
  const { page, close } = await openTab(served);
  await goBack(page);
  const before = page.url();
  await choose(page, "Cancel");
  expect(text()).toBe("two\nthree\n");
  await page.getByRole("button", { name: "Go back to before this message" }).last().click();
  await choose(page, "Files");
  await page
    .getByRole("dialog")
    .getByText(/undone: "the second", 2 paths/)
    .waitFor();
  expect(text()).toBe("one\n");
  expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
  expect(page.url()).toBe(before);
  await close();
});

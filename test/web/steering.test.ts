/** Checks what a person does while the model works: steer, stop, attach images, approve a plan. */
import { Buffer } from "node:buffer";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { serveModel } from "../serve-model.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const served = await serve(model);
const write = { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }] };
const sent = () => JSON.stringify(model.chats.at(-1)?.body);
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

// A call that would fail or change nothing is not asked about.
beforeEach(() => rmSync(join(served.place.workspace, "a.txt"), { force: true }));

test("a message during a turn waits, and goes to the model with its next step", async () => {
  model.use({ turns: [write, { text: "I heard you." }] });
  const { page, close } = await openTab(served);
  await say(page, "begin");
  const card = await question(page);
  await say(page, "and be quick");
  await page.getByText("goes to the model with its next step").waitFor();
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "I heard you.");
  expect(sent()).toContain("and be quick");
  expect(await page.getByText("goes to the model with its next step").count()).toBe(0);
  await close();
});

test("stop ends the turn during a question, nothing runs, and a waiting message comes back", async () => {
  model.use({ turns: [write, { text: "Never asked for." }] });
  const { page, close } = await openTab(served);
  await say(page, "begin");
  await question(page);
  await say(page, "come back to me");
  await page.getByText("goes to the model with its next step").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("Interrupted.").last().waitFor();
  await expect.poll(() => page.getByLabel("Message to the model").inputValue()).toBe("come back to me");
  expect(await page.getByRole("region", { name: /^Allow/ }).count()).toBe(0);
  await close();
});

test("a message that fails during a turn comes back alone, and one that waits goes on waiting", async () => {
  model.use({ turns: [write, { text: "Never asked for." }] });
  const { page, close } = await openTab(served);
  await say(page, "begin");
  await question(page);
  await say(page, "wait for it");
  await page.getByText("goes to the model with its next step").waitFor();
  await page.route("**/commands", (route) => route.abort());
  const lost = page.waitForEvent("requestfailed");
  await say(page, "lost on the way");
  await lost;
  const composer = page.getByLabel("Message to the model");
  await expect.poll(() => composer.inputValue()).toBe("lost on the way");
  await page.unroute("**/commands");
  await expect.poll(() => page.getByText("goes to the model with its next step").count()).toBe(1);
  // The message of the error leaves the button free.
  await page.getByRole("button", { name: "Stop" }).click();
  await expect.poll(() => composer.inputValue()).toBe("wait for it\n\nlost on the way");
  await close();
});

test("an image goes along with the message, and any other file is refused with a reason", async () => {
  model.use({ turns: [{ text: "A pixel." }] });
  const { page, close } = await openTab(served);
  const files = page.locator('input[type="file"]');
  await files.setInputFiles({ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no image") });
  await page.getByText("not a PNG, JPEG, GIF or WebP image: notes.png").waitFor();
  await files.setInputFiles({
    name: "pixel.png",
    mimeType: "image/png",
    buffer: Buffer.from(pixel, "base64"),
  });
  await page.getByRole("list", { name: "Images of the message" }).getByRole("img").waitFor();
  await say(page, "what is this");
  await answer(page, "A pixel.");
  expect(sent()).toContain(pixel);
  await page.getByRole("article", { name: "Your message" }).getByRole("img").waitFor();
  await close();
});

test("a plan is approved with the mode that follows, and only after its end was seen", async () => {
  const plan = "# Plan\n\n1. Write the file\n2. Read it again";
  model.use({
    turns: [{ calls: [{ name: "present_plan", arguments: { plan } }] }, { text: "I follow the plan." }],
  });
  const { page, close } = await openTab(served);
  await say(page, "/mode plan");
  await page.getByRole("button", { name: "Permission mode: plan" }).waitFor();
  await say(page, "plan it");
  const card = page.getByRole("region", { name: "The model's plan" });
  await card.getByText("Read it again").waitFor();
  await card.getByRole("button", { name: "Approve, go on in accept-edits" }).click();
  await answer(page, "I follow the plan.");
  await page.getByRole("button", { name: "Permission mode: accept-edits" }).waitFor();
  await close();
});

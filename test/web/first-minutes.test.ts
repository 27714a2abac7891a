/** Walks through the first minutes of a new person: nothing configured, a folder that is not trusted, the demo model. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { checkPage } from "./check-page.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const place = makePlace({ "README.md": "# Tea\n\nGreen tea.\n", "src/tea.ts": "// TODO: brew\n" }, false);
const served = await serve(await serveModel(), { place, wire: ["--model", "demo"] });
const readme = () => readFileSync(join(place.workspace, "README.md"), "utf8");

test("the folder is trusted, each idea does something, a change is asked about, shown and undone", async () => {
  const { page, close } = await openTab(served);
  const trust = page.getByRole("region", { name: "Trust" });
  await trust.getByText("only tools that read").waitFor();
  await checkPage(page);
  await trust.getByRole("button", { name: "Trust this folder" }).click();
  await expect.poll(() => trust.count()).toBe(0);

  await page.getByRole("button", { name: "Look around and tell me" }).click();
  await answer(page, "I look around. I read the readme.");
  await page.locator('[data-call="read_file"][data-look="done"]').waitFor();
  await answer(page, "I am the built-in demo");

  await page.getByRole("button", { name: "New session" }).click();
  await page.getByRole("button", { name: "Find the TODO comments" }).click();
  await page.locator('[data-call="grep_search"][data-look="done"]', { hasText: "TODO" }).waitFor();

  await say(page, 'change "Green" to "Black" in README.md');
  const card = await question(page);
  expect(await card.textContent()).toContain("Black tea.");
  expect(readme()).toContain("Green");
  await card.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(readme).toContain("Black tea.");
  // While the turn runs there is nothing of it to undo.
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  await say(page, "/undo");
  const undoing = page.getByRole("dialog");
  await undoing.getByText(/changed by +edit_file README\.md\n +puts back +README\.md \(\+1 -1\)/).waitFor();
  expect(readme()).toContain("Black tea.");
  await undoing.getByRole("button", { name: "Undo" }).click();
  await undoing.getByText(/put back +README\.md/).waitFor();
  expect(readme()).toContain("Green tea.");
  await page.keyboard.press("Escape");
  await close();
});

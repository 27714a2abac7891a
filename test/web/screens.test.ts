/** Walks through the screens of the web app: every panel and dialog works, axe finds nothing, and no screen scrolls sideways. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { makePlace, root } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { checkPage as check } from "./check-page.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const tea = Array.from({ length: 12 }, (_, at) => `export const cup${at} = "green";\n`).join("");
const served = await serve(model, {
  place: makePlace({
    "README.md": "# Tea\n\nGreen tea, brewed for three minutes.\n",
    "src/tea.ts": tea,
    "src/pot.ts": "pour();\n",
  }),
});
const file = (name: string) => join(served.place.workspace, name);

/** `LOCALHARNESS_SCREENSHOTS=1` writes the pictures of docs. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env["LOCALHARNESS_SCREENSHOTS"] === undefined) return;
  await page.screenshot({
    path: join(root, "docs", "screenshots", `web-${name}.png`),
    animations: "disabled",
  });
}

/** Shows the beginning of the transcript: only the items on the screen are in the page. */
async function toTop(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('#transcript').scrollTo(0, 0)");
  await page.getByRole("button", { name: "To the end" }).waitFor();
}

const walk = [
  {
    reasoning: "First see what is there, then fix the spelling.",
    text: "I look at the project first.",
    calls: [
      { name: "ls", arguments: {} },
      { name: "read_file", arguments: { path: "README.md" } },
      { name: "grep_search", arguments: { pattern: "green" } },
      { name: "add_task", arguments: { content: "Brew the tea for four minutes" } },
    ],
  },
  {
    text: "The README says three minutes; it should be four.",
    calls: [
      {
        name: "edit_file",
        arguments: { path: "README.md", old_content: "three minutes", new_content: "four minutes" },
      },
    ],
  },
  { calls: [{ name: "bash", arguments: { command: "touch src/cup.ts && wc -l src/*.ts && echo brewed" } }] },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the answer shows code with a template.
    text: 'Done. What I changed:\n\n- `README.md` now says **four minutes**\n- the sources stay as they are\n\n```ts\nimport { cup0 } from "./tea.ts";\n\nexport function brew(minutes = 4): string {\n  return `${cup0} tea after ${minutes} minutes`;\n}\n```\n\n| file | lines |\n|---|---:|\n| src/tea.ts | 12 |\n| src/pot.ts | 1 |',
  },
];

test("a session of a whole turn, with its question, in light and dark", async () => {
  model.use({ turns: walk });
  const { page, close } = await openTab(served, { colorScheme: "light" });
  await check(page);
  await picture(page, "welcome");
  await say(page, "Fix the brewing time in @README.md");
  let card = await question(page);
  expect(await card.textContent()).toContain("four minutes");
  await check(page);
  await picture(page, "question");
  await card.getByRole("button", { name: "Allow once" }).click();
  await page.locator('[data-call="edit_file"][data-look="done"]').waitFor();
  card = await question(page);
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "Done.");
  await page.locator(".hljs-keyword").first().waitFor();
  await toTop(page);
  await page.getByRole("button", { name: "Thought" }).click();
  await page.getByText("First see what is there").waitFor();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect.poll(() => page.getByRole("button", { name: "To the end" }).count()).toBe(0);
  // A click of the driver may scroll first, and the picture shows what a person sees at the end.
  await page.locator('[data-call="bash"] > button').dispatchEvent("click");
  await page.locator('[data-call="bash"]').getByText("brewed", { exact: false }).last().waitFor();
  await check(page);
  await picture(page, "chat");
  await page.emulateMedia({ colorScheme: "dark" });
  await check(page);
  await picture(page, "chat-dark");
  await close();
});

test("the panels show files, changes, tasks, context, tools and rules, and act", async () => {
  const { page, close } = await openTab(served, {
    colorScheme: "dark",
    viewport: { width: 1440, height: 860 },
  });
  await page.getByRole("link", { name: /Fix the brewing time/ }).click();
  await answer(page, "Done.");
  await page.getByRole("button", { name: "Panel", exact: true }).click();
  const panel = page.getByRole("tabpanel");
  await panel.getByRole("button", { name: "src" }).click();
  await panel.getByRole("button", { name: "pot.ts" }).click();
  expect(await page.getByLabel("Message to the model").inputValue()).toBe("@src/pot.ts ");
  await check(page);
  const tab = (name: string) => page.getByRole("tab", { name }).click();
  await tab("Tasks");
  await panel.getByText("Brew the tea for four minutes").waitFor();
  await tab("Context");
  await panel.getByText(/requests/).waitFor();
  await check(page);
  await tab("Tools");
  const bash = panel.getByRole("switch", { name: "bash" });
  await bash.click();
  await expect.poll(() => bash.getAttribute("aria-checked")).toBe("false");
  await bash.click();
  await expect.poll(() => bash.getAttribute("aria-checked")).toBe("true");
  await check(page);
  await picture(page, "tools-dark");
  await tab("Changes");
  await panel.getByRole("button", { name: /README\.md/ }).click();
  await panel.getByText("four minutes").first().waitFor();
  await panel.getByRole("button", { name: "Side by side" }).click();
  await check(page);
  await picture(page, "changes-dark");
  await panel.getByRole("button", { name: "Undo the last turn" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByRole("dialog").getByText("README.md").waitFor();
  expect(readFileSync(file("README.md"), "utf8")).toContain("three minutes");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("dialog").getByText("README.md").waitFor();
  expect(readFileSync(file("README.md"), "utf8")).toContain("four minutes");
  await page.keyboard.press("Escape");
  for (const name of ["MCP", "Jobs", "Rules"]) {
    await tab(name);
    await check(page);
  }
  await close();
});

test("the palette, the settings, the modes and the themes work with the keyboard", async () => {
  const { page, close } = await openTab(served, { colorScheme: "light" });
  await page.getByRole("link", { name: /Fix the brewing time/ }).click();
  await answer(page, "Done.");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("mode");
  await check(page);
  await picture(page, "palette");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: /Model|Permission mode/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Message to the model").fill("/mode plan");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Permission mode: plan" }).waitFor();
  await page.keyboard.press("Alt+m");
  await page.getByRole("button", { name: "Permission mode: default" }).waitFor();
  await page.getByLabel("Message to the model").fill("/config");
  await page.keyboard.press("Enter");
  await page.getByLabel("Search settings").fill("limits");
  const field = page.getByLabel("limits.iterations_per_turn");
  await field.fill("many");
  await field.press("Enter");
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await field.fill("12");
  await field.press("Enter");
  await expect.poll(() => page.getByRole("dialog").getByText("from config.json").count()).toBeGreaterThan(0);
  await check(page);
  await picture(page, "settings");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keys (?)" }).click();
  await check(page);
  await page.keyboard.press("Escape");
  await page.getByLabel("Message to the model").fill("/theme high-contrast");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("high-contrast");
  await check(page);
  await page.getByLabel("Message to the model").fill("/no-such");
  await page.keyboard.press("Enter");
  await page.getByText("unknown command /no-such").waitFor();
  await close();
});

test("a phone of 320 pixels has everything, without scrolling sideways", async () => {
  model.use({
    turns: [
      { calls: [{ name: "write_file", arguments: { path: "phone.txt", content: "small\n" } }] },
      { text: "Written." },
    ],
  });
  const { page, close } = await openTab(served, {
    viewport: { width: 390, height: 760 },
    colorScheme: "dark",
    hasTouch: true,
  });
  await page.getByRole("button", { name: "Sessions" }).click();
  await check(page);
  await picture(page, "phone-sessions-dark");
  await page.getByRole("link", { name: /Fix the brewing time/ }).click();
  await answer(page, "Done.");
  await check(page);
  await page.getByRole("button", { name: "Sessions" }).click();
  await page.getByRole("button", { name: "New session" }).click();
  await say(page, "write");
  const card = await question(page);
  await check(page);
  await picture(page, "phone-question-dark");
  await page.setViewportSize({ width: 320, height: 640 });
  await check(page);
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "Written.");
  expect(existsSync(file("phone.txt"))).toBe(true);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 390, height: 760 });
  await check(page);
  await picture(page, "phone-chat");
  await close();
});

test("sessions are renamed, forked, searched, exported and deleted", async () => {
  const { page, close } = await openTab(served);
  await page.getByRole("link", { name: /Fix the brewing time/ }).click();
  await answer(page, "Done.");
  const actions = page.getByRole("button", { name: /^Actions of Fix the brewing/ });
  await actions.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Tea time");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /Tea time/ }).waitFor();
  await page.getByLabel("Search sessions").fill("four minutes");
  await page.getByRole("link", { name: /Tea time/ }).waitFor();
  await page.getByLabel("Search sessions").fill("zebra");
  await page.getByText("No session contains these words.").waitFor();
  await page.getByLabel("Search sessions").fill("");
  await page.getByRole("button", { name: "Actions of Tea time" }).focus();
  await page.keyboard.press("Enter");
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
  expect((await download).suggestedFilename()).toMatch(/^session-.*\.md$/);
  const before = page.url();
  await toTop(page);
  await page.getByRole("article", { name: "Your message" }).last().hover();
  await page.getByRole("button", { name: "Go back to before this message" }).last().click();
  const reach = page.getByRole("dialog").getByRole("button", { name: "Conversation", exact: true });
  await expect.poll(async () => page.url() !== before || (await reach.count()) > 0).toBe(true);
  if ((await reach.count()) > 0) await reach.click();
  await expect.poll(() => page.url()).not.toBe(before);
  await page.goto(before);
  await page.getByRole("button", { name: "Actions of Tea time" }).first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => page.getByRole("link", { name: /Tea time/ }).count()).toBeLessThan(2);
  await close();
});

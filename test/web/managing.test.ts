/** Checks what a person manages in the browser: models, tools, MCP servers, changes, sessions, another browser. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { configure, makePlace, root } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { checkPage } from "./check-page.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const models = [
  { name: "fake-model", capabilities: ["completion", "tools"], contextLength: 32_768, listsDetails: true },
  { name: "seer", capabilities: ["completion", "vision"], contextLength: 131_072, listsDetails: true },
];
const place = makePlace({ "tea.txt": "green\n" });
const peer = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
configure(
  place,
  "mcp.json",
  JSON.stringify({
    mcpServers: {
      kettle: { command: process.execPath, args: [peer] },
      broken: { command: join(place.home, "no-such-program") },
    },
  }),
);
const served = await serve(model, {
  place,
  wire: ["--provider", "ollama", "--base-url", model.origin, "--model", "fake-model"],
  args: ["--host-name", "box.example"],
});
const file = (name: string) => join(place.workspace, name);
const config = () =>
  JSON.parse(readFileSync(join(place.home, ".config", "localharness", "config.json"), "utf8"));
const offered = () =>
  ((model.chats.at(-1)?.body?.["tools"] ?? []) as unknown as readonly { function: { name: string } }[]).map(
    (tool) => tool.function.name,
  );

async function openPanel(page: Page, name: string): Promise<void> {
  const panel = page.getByRole("button", { name: "Panel", exact: true });
  if ((await panel.getAttribute("aria-expanded")) === "false") await panel.click();
  await page.getByRole("tab", { name }).click();
}

test("the models are shown with their windows and abilities, and the chosen one answers", async () => {
  model.use({ models, turns: [{ text: "From the first." }, { text: "From the other." }] });
  const { page, close } = await openTab(served);
  await say(page, "one");
  await answer(page, "From the first.");
  await page.getByRole("button", { name: "Model: fake-model" }).click();
  const dialog = page.getByRole("dialog", { name: "Model" });
  const seer = dialog.getByRole("option", { name: /^seer/ });
  await seer.waitFor();
  expect(await seer.textContent()).toMatch(/16k window · tools as text · sees images/);
  expect(await dialog.getByRole("option", { name: /current/ }).textContent()).toMatch(
    /fake-model.* window · tools/,
  );
  await checkPage(page);
  await dialog.getByRole("combobox").fill("images");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Model: seer" }).waitFor();
  await say(page, "two");
  await answer(page, "From the other.");
  expect(model.chats.at(-1)?.body?.["model"]).toBe("seer");
  await close();
});

test("a tool is switched off for one session, or for later sessions of the same server too", async () => {
  model.use({ models, turns: [0, 1].map((at) => ({ text: `Answer ${at}.` })) });
  const { page, close } = await openTab(served);
  await say(page, "begin");
  await answer(page, "Answer 0.");
  expect(offered()).toEqual(expect.arrayContaining(["bash", "ls"]));
  await openPanel(page, "Tools");
  const panel = page.getByRole("tabpanel");
  const flip = async (name: string) => {
    await panel.getByRole("switch", { name, exact: true }).click();
    await expect
      .poll(() => panel.getByRole("switch", { name, exact: true }).getAttribute("aria-checked"))
      .toBe("false");
  };
  await flip("bash");
  await panel.getByRole("radio", { name: "also in later sessions" }).check();
  await flip("write_file");
  await checkPage(page);
  await say(page, "go on");
  await answer(page, "Answer 1.");
  expect(offered()).not.toContain("bash");
  expect(offered()).not.toContain("write_file");
  expect(config().tools).toEqual(["standard", "-write_file"]);
  await page.getByRole("button", { name: "New session" }).click();
  await say(page, "another one");
  await answer(page, "Answer 0.");
  // The list knows the session as soon as its turn has ended, however short the turn was.
  await page.getByRole("link", { name: /another one.*2 messages/ }).waitFor();
  expect(offered()).toContain("bash");
  expect(offered()).not.toContain("write_file");
  await panel.getByRole("radio", { name: "also in later sessions" }).check();
  await panel.getByRole("switch", { name: "write_file", exact: true }).click();
  await expect.poll(() => config().tools).toBeUndefined();
  await close();
});

test("MCP servers are shown with their state, their tools and what is wrong", async () => {
  model.use({ models, turns: [{ text: "Hello." }] });
  const { page, close } = await openTab(served);
  await say(page, "hello");
  await answer(page, "Hello.");
  await openPanel(page, "MCP");
  const panel = page.getByRole("tabpanel");
  const server = (name: string) =>
    panel.getByRole("article").filter({ has: page.getByRole("heading", { name }) });
  await expect
    .poll(async () => {
      await panel.getByRole("button", { name: "Refresh" }).click();
      return server("kettle").textContent();
    })
    .toContain("kettle__echo");
  expect(await server("broken").textContent()).toMatch(/no-such-program|could not be started|not found/);
  await checkPage(page);
  await close();
});

test("a turn is undone and redone with its files listed, but not a file that changed since", async () => {
  const write = (path: string, content: string) => ({ name: "write_file", arguments: { path, content } });
  model.use({
    models,
    turns: [{ calls: [write("new.txt", "new\n"), write("tea.txt", "black\n")] }, { text: "Both written." }],
  });
  const { page, close } = await openTab(served);
  await say(page, "write both");
  for (const name of ["new.txt", "tea.txt"]) {
    const card = await question(page);
    await card.getByText(name).first().waitFor();
    await card.getByRole("button", { name: "Allow once" }).click();
    await expect.poll(() => existsSync(file(name))).toBe(true);
    await page.locator(`[data-call="write_file"][data-look="done"]`, { hasText: name }).waitFor();
  }
  await answer(page, "Both written.");
  const dialog = page.getByRole("dialog");
  const run = async (command: string) => {
    await say(page, command);
    await dialog.waitFor();
    const yes = dialog.getByRole("button", { name: "Undo", exact: true });
    if ((await yes.count()) > 0) {
      await yes.click();
      await dialog.getByText("undone:").waitFor();
    }
    const text = await dialog.textContent();
    await page.keyboard.press("Escape");
    return text;
  };
  const messages = page.getByRole("status", { name: "Messages" });
  for (const [command, why] of [
    ["/undo foo", "/undo takes a number of turns: /undo 3"],
    ["/undo 0", "/undo takes a number of turns: /undo 3"],
    ["/undo 20000", "/undo takes a number of turns: /undo 3"],
    ["/undo 2000", "expected number to be <=1000"],
    ["/redo 2", "/redo takes no argument"],
    ["/tools bash", "usage: /tools NAME on|off [session]"],
    ["/tools no-such on", "there is no tool"],
    ["/jobs stop", "usage: /jobs, /jobs end ID"],
    ["/trust maybe", "expected /trust yes, auto or read, got maybe"],
    ["/permissions auto", "auto is a mode: /mode auto changes to it"],
    ["/quit", "/quit needs the full screen or the chat line by line"],
    ["/export json a.json", "a browser names the file"],
    ["/export pdf", "/export takes markdown, json or html"],
  ] as const) {
    await say(page, command);
    await messages.getByText(why).or(dialog).waitFor();
    expect(await dialog.count()).toBe(0);
    await messages.getByRole("button", { name: "Dismiss the message" }).click();
  }
  expect(readFileSync(file("tea.txt"), "utf8")).toBe("black\n");
  expect(await run("/undo 1000")).toMatch(
    /2 changed[\s\S]*new\.txt[\s\S]*tea\.txt|2 changed[\s\S]*tea\.txt[\s\S]*new\.txt/,
  );
  expect(existsSync(file("new.txt"))).toBe(false);
  expect(readFileSync(file("tea.txt"), "utf8")).toBe("green\n");
  expect(await run("/redo")).toContain("2 changed");
  expect(readFileSync(file("tea.txt"), "utf8")).toBe("black\n");
  writeFileSync(file("tea.txt"), "mine\n");
  expect(await run("/undo")).toContain("tea.txt");
  expect(readFileSync(file("tea.txt"), "utf8")).toBe("mine\n");
  await close();
});

test("an address with a key is masked until it is edited, and an edit keeps the key", async () => {
  const url = "http://127.0.0.1:1/search?key=hunter2";
  configure(place, "config.json", JSON.stringify({ web_search_url: url }));
  const { page, close } = await openTab(served);
  await say(page, "/mode default");
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await dialog.getByLabel("Search settings").fill("web_search_url");
  const field = dialog.getByLabel("web_search_url", { exact: true });
  await expect.poll(() => field.inputValue()).toBe("http://127.0.0.1:1/search?key=****");
  await field.press("Enter");
  await dialog.getByRole("button", { name: "Edit web_search_url" }).click();
  await checkPage(page);
  await page.keyboard.press("End");
  await page.keyboard.type("&page=2");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("http://127.0.0.1:1/search?key=****&page=****");
  expect(config().web_search_url).toBe(`${url}&page=2`);
  await dialog.getByRole("button", { name: "Edit web_search_url" }).click();
  await field.fill("http://127.0.0.1:1/?key=****");
  await field.press("Enter");
  await dialog.getByRole("alert").getByText("**** stands for a part that is not shown").waitFor();
  expect(config().web_search_url).toBe(`${url}&page=2`);
  await close();
});

test("axe finds nothing in the dialogs to rename, to delete and to pair, and they act", async () => {
  model.use({ models, turns: [{ text: "Kept." }] });
  const { page, close } = await openTab(served, { colorScheme: "dark" });
  await say(page, "a session to delete");
  await answer(page, "Kept.");
  const menu = async (action: string, name: string) => {
    await page.getByRole("button", { name: `Actions of ${name}` }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: action }).click();
  };
  await menu("Rename", "a session to delete");
  await checkPage(page);
  await page.getByRole("dialog").getByLabel("Name").fill("Gone soon");
  await page.keyboard.press("Enter");
  await menu("Delete", "Gone soon");
  await checkPage(page);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /Gone soon/ }).waitFor();
  await menu("Delete", "Gone soon");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect.poll(() => page.getByRole("link", { name: /Gone soon/ }).count()).toBe(0);

  await page.getByRole("button", { name: "Pair a phone" }).click();
  const shown = page.getByRole("dialog").getByText(/#pair=/);
  await shown.waitFor();
  await checkPage(page);
  const link = (await shown.textContent()) ?? "";
  expect(link).toMatch(/^https:\/\/box\.example\/#pair=/);
  const squares = encode(link, { border: 2 }).data.flat().filter(Boolean).length;
  const drawn = await page
    .getByRole("img", { name: "The link as a QR code" })
    .locator("path")
    .getAttribute("d");
  expect(drawn?.match(/M/g)).toHaveLength(squares);
  const other = await openTab({ link: async () => link.replace("https://box.example", served.address) });
  await other.close();
  await close();
});

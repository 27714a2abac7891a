/** Checks what happens when clients and the server lose each other: two tabs, a reload, a server that is killed and started again. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@localharness/protocol";
import { expect, test } from "vitest";
import { credentialsIn, type Got, impostorAt } from "../impostor.ts";
import { hangMs } from "../measures.ts";
import { run } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { ask, serverFile } from "../served.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const served = await serve(model);
const write = (path: string, content: string) => ({
  calls: [{ name: "write_file", arguments: { path, content } }],
});
/** Sends a command as a client that is not this browser. */
async function send(id: string, command: Command): Promise<void> {
  const { token } = JSON.parse(readFileSync(serverFile(served.place), "utf8"));
  const url = `${served.address}/api/sessions/${id}/commands`;
  const { status } = await ask(url, "POST", command, { Authorization: `Bearer ${token}` });
  expect(status).toBe(202);
}
/** Returns true if a turn runs in the session. */
async function running(id: string): Promise<boolean> {
  const { token } = JSON.parse(readFileSync(serverFile(served.place), "utf8"));
  const url = `${served.address}/api/sessions/${id}`;
  return (await ask(url, "GET", undefined, { Authorization: `Bearer ${token}` })).json.running;
}
const file = (name: string) => join(served.place.workspace, name);

test("of two tabs that answer one question the first counts, and the other sees who answered", async () => {
  model.use({ turns: [write("two.txt", "x"), { text: "Both saw it." }] });
  const first = await openTab(served);
  await say(first.page, "write");
  const card = await question(first.page);
  const second = await openTab(served);
  await second.page.goto(first.page.url());
  const other = await question(second.page);
  // Both buttons are found before one of them is clicked, because the answer removes the other.
  const buttons = await Promise.all([
    card.getByRole("button", { name: "Allow once" }).elementHandle(),
    other.getByRole("button", { name: "Deny" }).elementHandle(),
  ]);
  await Promise.all(buttons.map((button) => button?.dispatchEvent("click")));
  for (const { page } of [first, second]) {
    await answer(page, "Both saw it.");
    expect(await page.getByRole("region", { name: /^Allow/ }).count()).toBe(0);
    await page.locator('[data-call="write_file"]').getByText("by Chrome on Linux").waitFor();
  }
  const allowed = await first.page.locator('[data-call="write_file"]').getAttribute("data-look");
  expect(existsSync(file("two.txt"))).toBe(allowed === "done");
  await first.close();
  await second.close();
});

test("a reload during a question shows the question again, and its answer counts once", async () => {
  model.use({ turns: [write("again.txt", "once\n"), { text: "Written after the reload." }] });
  const { page, close } = await openTab(served);
  await say(page, "write");
  await question(page);
  await page.reload();
  const card = await question(page);
  expect(await page.getByRole("article", { name: "Your message" }).textContent()).toContain("write");
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "Written after the reload.");
  expect(readFileSync(file("again.txt"), "utf8")).toBe("once\n");
  await close();
});

test("a server that is killed and started again is noticed, and the session goes on", async () => {
  model.use({ turns: [{ text: "First answer." }, { text: "Second answer." }] });
  const { page, close } = await openTab(served);
  await say(page, "one");
  await answer(page, "First answer.");
  await served.kill();
  await page.getByText("No connection to the server").waitFor();
  const composer = page.getByLabel("Message to the model");
  await composer.fill("two");
  await served.begin();
  await page.getByText("No connection to the server").waitFor({ state: "detached" });
  expect(await composer.inputValue()).toBe("two");
  await composer.press("Enter");
  await answer(page, "Second answer.");
  expect(await page.getByRole("article", { name: "Your message" }).count()).toBe(2);
  expect(await page.getByRole("article", { name: "Answer" }).count()).toBe(2);
  await close();
});

test("a session stays on the page if the server does not answer when it is opened again", async () => {
  model.use({ turns: [{ text: "Third answer." }, { text: "Fourth answer." }] });
  const { page, close } = await openTab(served);
  await say(page, "three");
  await answer(page, "Third answer.");
  const address = page.url();
  let lost = 0;
  await page.route("**/api/sessions", (route) => {
    lost += 1;
    return lost > 2 ? route.continue() : route.abort();
  });
  await served.restart();
  await expect.poll(() => lost, { timeout: hangMs }).toBeGreaterThan(2);
  expect(page.url()).toBe(address);
  await say(page, "four");
  await answer(page, "Fourth answer.");
  expect(await page.getByRole("article", { name: "Answer" }).count()).toBe(2);
  await close();
});

test("a message that cannot be sent comes back into the composer", async () => {
  model.use({ turns: [{ text: "Here." }] });
  const { page, close } = await openTab(served);
  await say(page, "one");
  await answer(page, "Here.");
  await served.kill();
  await say(page, "do not lose this");
  await page.getByText("the server does not answer").first().waitFor();
  await expect.poll(() => page.getByLabel("Message to the model").inputValue()).toBe("do not lose this");
  await served.begin();
  await close();
});

test("a browser that is offline for a minute, and then for a night, says so and then shows each event once", async () => {
  model.use({
    turns: [
      ...[{ text: "Before." }, write("off.txt", "x"), { text: "While you were away." }],
      { text: "x".repeat(9_000), deltaChars: 1 },
      { text: "In the morning." },
    ],
  });
  const { page, context, close } = await openTab(served);
  await say(page, "one");
  await answer(page, "Before.");
  await page.clock.install();
  await context.setOffline(true);
  await page.getByText("No connection to the server").waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  await send(id, { type: "user-message", content: "asked by another client" });
  await page.clock.runFor(60_000);
  expect(await page.getByRole("region", { name: /^Allow/ }).count()).toBe(0);
  await context.setOffline(false);
  const card = await question(page);
  await page.getByText("No connection to the server").waitFor({ state: "detached" });
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "While you were away.");
  expect(readFileSync(file("off.txt"), "utf8")).toBe("x");
  expect(await page.getByRole("article", { name: "Your message" }).count()).toBe(2);
  expect(await page.getByRole("article", { name: "Answer" }).count()).toBe(2);

  await context.setOffline(true);
  await page.getByText("No connection to the server").waitFor();
  // So many events that the server no longer has those after the last one that the page has.
  await send(id, { type: "user-message", content: "a long one" });
  await expect.poll(() => model.chats.length).toBe(4);
  await expect.poll(() => running(id)).toBe(false);
  await send(id, { type: "user-message", content: "a short one" });
  await page.clock.fastForward("10:00:00");
  await context.setOffline(false);
  await answer(page, "In the morning.");
  // The list draws only what is in view: the last answers, each once and whole.
  const answers = page.getByRole("article", { name: "Answer" });
  expect(await answers.filter({ hasText: "In the morning." }).count()).toBe(1);
  const long = answers.filter({ hasText: "x".repeat(100) });
  await expect.poll(async () => (await long.allTextContents()).join("").match(/x/g)?.length).toBe(9_000);
  await page.getByText("No connection to the server").waitFor({ state: "detached" });
  await close();
});

test("a laptop that slept an hour replaces a connection that is dead without saying so", async () => {
  model.use({ turns: [{ text: "Before." }, { text: "While it slept." }] });
  const { page, close } = await openTab(served, {}, async (opened) => {
    await opened.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (!asleep) socket.send(message);
        else missed += String(message);
      });
    });
  });
  let asleep = false;
  // A connection loses the end of what was sent, never a part before it.
  let missed = "";
  await say(page, "one");
  await answer(page, "Before.");
  await page.clock.install();
  asleep = true;
  const id = page.url().split("/").at(-1) ?? "";
  await send(id, { type: "user-message", content: "asked by another client" });
  await expect.poll(() => missed).toMatch(/"text-delta"[\s\S]*"turn-end"/);
  await page.clock.runFor(1_000);
  expect(await page.getByText("While it slept.").count()).toBe(0);
  asleep = false;
  await page.clock.fastForward("01:00:00");
  await answer(page, "While it slept.");
  expect(await page.getByRole("article", { name: "Your message" }).count()).toBe(2);
  expect(await page.getByRole("article", { name: "Answer" }).count()).toBe(2);
  await close();
});

test("a program that takes the port of the server gets nothing of worth from an open page, nor from a reload", async () => {
  model.use({ turns: [{ text: "Before." }, { text: "After." }] });
  let secret = "";
  const { page, close } = await openTab(served, {}, async (opened) => {
    opened.on("response", async (response) => {
      if (response.url().endsWith("/api/pair")) secret = (await response.json()).key.split(".")[1];
    });
  });
  await say(page, "one");
  await answer(page, "Before.");
  const session = page.url();
  await expect.poll(() => secret).toHaveLength(43);
  await served.kill();
  const got: Got[] = [];
  {
    await using impostor = await impostorAt(served.address);
    await page.getByRole("alert").getByText("Another program answers at this address").waitFor();
    await say(page, "tell nobody");
    await expect.poll(() => page.getByLabel("Message to the model").inputValue()).toBe("tell nobody");
    await page.goto(served.address);
    await expect.poll(() => impostor.got.some(({ url }) => url === "/stolen")).toBe(true);
    got.push(...impostor.got);
  }
  expect(got.find(({ url }) => url === "/stolen")?.body).toContain("id ");
  expect(got.filter(({ url }) => url === "/api/prove").length).toBeGreaterThan(0);
  const { token } = JSON.parse(readFileSync(serverFile(served.place), "utf8"));
  for (const word of [secret, token]) expect(JSON.stringify(got)).not.toContain(word);
  // A draft is kept where any page of this address can read it, and is all that such a page finds.
  expect(JSON.stringify(got.filter(({ url }) => url !== "/stolen"))).not.toContain("tell nobody");
  await served.begin();
  for (const one of credentialsIn(got)) {
    const reply = await ask(`${served.address}/api/hub`, "GET", undefined, {
      Authorization: `Bearer ${one}`,
    });
    expect(reply.status).toBe(401);
  }
  // The browser is still paired.
  await page.goto(session);
  await answer(page, "Before.");
  await say(page, "two");
  await answer(page, "After.");
  await close();
});

test("a token that was replaced is told on the open page, which then asks for a link", async () => {
  const { page, close } = await openTab(served);
  await run(["serve", "token", "rotate"], { place: served.place });
  await page.getByRole("heading", { name: "Pair this browser" }).waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("its token was replaced");
  await page.getByLabel("Pairing link").fill(await served.link());
  await page.getByRole("button", { name: "Pair" }).click();
  await page.getByLabel("Message to the model").waitFor();
  await run(["serve", "token", "rotate"], { place: served.place });
  await page.getByRole("heading", { name: "Pair this browser" }).waitFor();
  await close();
});

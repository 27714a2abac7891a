/** Drives the web app in Chromium: pairing, a chat with calls, questions and their answers. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const served = await serve(model, {
  place: makePlace({ "README.md": "# Tea\nGreen.\n", "src/pot.ts": "// tea\npour();\n" }),
});
/** Tries to read the secret of the browser's key, as a page of another program at this address could. */
const secretOfKey = `new Promise((resolve, reject) => {
  const opening = indexedDB.open("localharness");
  opening.onerror = reject;
  opening.onsuccess = () => {
    const reading = opening.result.transaction("keys").objectStore("keys").getAll();
    reading.onsuccess = () => {
      opening.result.close();
      crypto.subtle.exportKey("raw", reading.result[0].secret).then(
        (bytes) => resolve(String(new Uint8Array(bytes))),
        (error) => resolve(/not extractable/.test(error.message) ? "not extractable" : String(error)),
      );
    };
  };
})`;
const write = (path: string, content: string) => ({
  calls: [{ name: "write_file", arguments: { path, content } }],
});
const file = (name: string) => join(served.place.workspace, name);

test("a link pairs the browser once, and its code leaves the address", async () => {
  const { page, close } = await openTab(served);
  expect(new URL(page.url()).hash).toBe("");
  const stored = "Object.values(localStorage).concat(Object.values(sessionStorage)).join()";
  expect(await page.evaluate(stored)).not.toMatch(/[\w-]{22}\.[\w-]{43}/);
  expect(await page.evaluate(secretOfKey)).toBe("not extractable");
  await page.reload();
  await page.getByLabel("Message to the model").waitFor();
  await close();
});

test("without a key the page asks for a link, and says why a wrong one is refused", async () => {
  const { page, close } = await openTab(served);
  await page.evaluate("indexedDB.deleteDatabase('localharness')");
  await page.goto(`${served.address}/#pair=wrong`);
  await page.getByRole("heading", { name: "Pair this browser" }).waitFor();
  await expect.poll(() => page.getByRole("alert").textContent()).toContain("wrong, was used before");
  await page.getByLabel("Pairing link").fill(await served.link());
  await page.getByRole("button", { name: "Pair" }).click();
  await page.getByLabel("Message to the model").waitFor();
  await close();
});

test("an item that is opened stays in view, and stays open while it is out of sight", async () => {
  const long = Array.from({ length: 400 }, (_, at) => `Paragraph ${at} of a long answer.`).join("\n\n");
  model.use({ turns: [{ reasoning: "Think of it.", text: long }, { text: "Short." }] });
  const { page, close } = await openTab(served);
  await say(page, "tell me");
  await answer(page, "Paragraph 399");
  const scrollTo = (top: string) =>
    page.evaluate(`document.querySelector("#transcript").scrollTo(0, ${top})`);
  await scrollTo("0");
  await page.getByRole("button", { name: "Thought" }).click();
  const thought = page.getByText("Think of it.");
  await thought.waitFor();
  const place = await thought.boundingBox();
  expect(place?.y).toBeGreaterThan(0);
  expect(place?.y).toBeLessThan(400);
  await scrollTo("1e6");
  await expect.poll(() => thought.count()).toBe(0);
  await scrollTo("0");
  await thought.waitFor();
  await say(page, "and now");
  await answer(page, "Short.");
  await expect
    .poll(() => page.getByRole("article", { name: "Answer" }).getByText("Short.").isVisible())
    .toBe(true);
  await close();
});

test("what is pressed while the view moves gets the press", async () => {
  const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of an answer.`).join("\n\n");
  model.use({ turns: [{ reasoning: "Think of it.", text: long }] });
  const { page, close } = await openTab(served);
  await say(page, "tell me");
  await answer(page, "Paragraph 59");
  // The view of an answer that streams moves with each of its lines.
  const pressed = await page.evaluate(`(async () => {
    const box = document.querySelector("#transcript");
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    box.scrollTo(0, 100);
    for (let at = 0; at < 5; at += 1) await frame();
    box.scrollTo(0, 0);
    for (let at = 0; at < 3; at += 1) await frame();
    const button = [...box.querySelectorAll("button")].find((one) => one.textContent.includes("Thought"));
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })()`);
  expect(pressed).toBe(true);
  await close();
});

test("a session that is opened shows its end at once, and never its beginning before", async () => {
  const long = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} of an answer.`).join("\n\n");
  model.use({ turns: [{ text: long }] });
  const { page, close } = await openTab(served);
  await say(page, "tell me");
  await answer(page, "Paragraph 199");
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).count()).toBe(0);
  // A frame begins with what the frame before has painted.
  await page.addInitScript(`
    globalThis.painted = [];
    const look = () => {
      requestAnimationFrame(look);
      const box = document.querySelector("#transcript");
      const last = [...(box?.querySelectorAll("p") ?? [])].findLast((one) => one.textContent.startsWith("Paragraph 199"));
      if (last === undefined || getComputedStyle(last).visibility === "hidden") return;
      painted.push(box.scrollHeight - box.scrollTop - box.clientHeight);
    };
    look();
  `);
  await page.reload();
  await expect.poll(() => page.evaluate("painted.length")).toBeGreaterThan(5);
  expect(await page.evaluate("painted.filter((left) => left !== 0)")).toEqual([]);
  await close();
});

test("content that shrinks and grows again at once does not leave the end", async () => {
  const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of an answer.`).join("\n\n");
  model.use({ turns: [{ text: long }] });
  const { page, close } = await openTab(served);
  await say(page, "tell me");
  await answer(page, "Paragraph 59");
  const left = await page.evaluate(`(async () => {
    const box = document.querySelector("#transcript");
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const space = document.createElement("div");
    const setHeight = (px) => {
      space.style.height = px + "px";
    };
    setHeight(2_000);
    box.firstElementChild.append(space);
    for (let at = 0; at < 5; at += 1) await frame();
    await frame().then(() => setHeight(0));
    // After the layout of this frame, before the next one tells that the view has moved.
    await new Promise((resolve) => setTimeout(resolve, 0));
    setHeight(3_000);
    for (let at = 0; at < 5; at += 1) await frame();
    return box.scrollHeight - box.scrollTop - box.clientHeight;
  })()`);
  expect(left).toBe(0);
  expect(await page.getByRole("button", { name: "To the end" }).count()).toBe(0);
  await close();
});

test("what the person presses does not move away, and its click counts", async () => {
  model.use({ turns: [{ reasoning: "Think of it.", text: "Short." }] });
  const { page, close } = await openTab(served);
  await say(page, "tell me");
  await answer(page, "Short.");
  const thought = page.getByRole("button", { name: "Thought" });
  const growBy = (px: number) =>
    page.evaluate(`(async () => {
      const space = document.createElement("div");
      space.style.height = "${px}px";
      document.querySelector("#transcript > div").append(space);
      for (let at = 0; at < 5; at += 1) await new Promise(requestAnimationFrame);
    })()`);
  const left = () =>
    page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) =>
      scrollHeight - scrollTop - clientHeight)(document.querySelector("#transcript"))`);
  await page.getByRole("article", { name: "Answer" }).hover();
  await page.mouse.down();
  await growBy(1_000);
  expect(await left()).toBeGreaterThan(100);
  await page.mouse.up();
  await expect.poll(left).toBe(0);
  await page.evaluate("document.querySelector('#transcript > div').lastElementChild.remove()");
  await thought.hover();
  await page.mouse.down();
  await growBy(1_000);
  await page.mouse.up();
  await page.getByText("Think of it.").waitFor();
  await close();
});

test("Onyx: a chat shows each call, asks before a change, and makes the change after the answer", async () => {
  model.use({
    turns: [
      { reasoning: "A list helps.", text: "I look **around**.", calls: [{ name: "ls", arguments: {} }] },
      write("new.txt", "one\ntwo\n"),
      { text: "Done.\n\n```ts\nconst a = 1;\n```" },
    ],
  });
  const { page, close } = await openTab(served);
  await say(page, "please begin");
  const card = await question(page);
  expect(await card.textContent()).toContain("new.txt");
  expect(existsSync(file("new.txt"))).toBe(false);
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "Done.");
  expect(readFileSync(file("new.txt"), "utf8")).toBe("one\ntwo\n");
  expect(await page.locator('[data-call="ls"]').getAttribute("data-look")).toBe("done");
  expect(await page.locator('[data-call="write_file"]').textContent()).toContain(
    "allowed once by Chrome on Linux",
  );
  await page.locator('[data-call="ls"] > button').click();
  await page.locator('[data-call="ls"]').getByText("README.md").waitFor();
  expect(await page.locator("strong", { hasText: "around" }).count()).toBe(1);
  await page.locator(".code-block .hljs-keyword", { hasText: "const" }).waitFor();
  await page.getByRole("button", { name: "Thought" }).click();
  await page.getByText("A list helps.").waitFor();
  await close();
});

test("results are shown as a table of files, matches, a file with line numbers, and a terminal", async () => {
  model.use({
    turns: [
      {
        calls: [
          { name: "ls", arguments: { path: "src" } },
          { name: "grep_search", arguments: { pattern: "pour" } },
          { name: "read_file", arguments: { path: "src/pot.ts" } },
        ],
      },
      { calls: [{ name: "bash", arguments: { command: "printf '\\033[31mred\\033[0m\\n'; exit 3" } }] },
      { text: "Seen." },
    ],
  });
  const { page, close } = await openTab(served);
  await say(page, "look");
  await (await question(page)).getByRole("button", { name: "Allow once" }).click();
  await answer(page, "Seen.");
  const card = async (tool: string) => {
    await page.locator(`[data-call="${tool}"] > button`).click();
    return page.locator(`[data-call="${tool}"]`);
  };
  const list = await card("ls");
  await list.getByRole("columnheader", { name: "size" }).waitFor();
  expect(await list.getByRole("row", { name: /^pot\.ts/ }).textContent()).toMatch(/pot\.ts\s*15 B/);
  const matches = await card("grep_search");
  await matches.getByText("src/pot.ts", { exact: true }).waitFor();
  expect(await matches.textContent()).toContain("pour();");
  const shown = await card("read_file");
  expect(await shown.locator("pre").first().textContent()).toBe("1\n2");
  expect(await shown.locator("pre").last().textContent()).toBe("// tea\npour();");
  const terminal = (await card("bash")).locator("figure");
  expect(await terminal.textContent()).toContain("$");
  expect(await terminal.locator("pre").textContent()).toBe("red");
  expect(await terminal.textContent()).toContain("exit code: 3");
  await close();
});

test("a denial takes a note to the model, and nothing is written", async () => {
  model.use({ turns: [write("denied.txt", "x"), { text: "Then not." }] });
  const { page, close } = await openTab(served);
  await say(page, "write it");
  const card = await question(page);
  await card.getByLabel("A note for the model").fill("use another file");
  await card.getByRole("button", { name: "Deny with this note" }).click();
  await answer(page, "Then not.");
  expect(existsSync(file("denied.txt"))).toBe(false);
  expect(JSON.stringify(model.chats.at(-1)?.body)).toContain("use another file");
  const denied = page.locator('[data-call="write_file"]');
  expect(await denied.getAttribute("data-look")).toBe("denied");
  await denied.getByText("you denied it: use another file", { exact: true }).waitFor();
  await close();
});

test("an answer for the session covers the next call, and a remembered one is a rule that can be forgotten", async () => {
  const touch = (name: string) => ({ calls: [{ name: "bash", arguments: { command: `touch ${name}` } }] });
  model.use({
    turns: [
      ...[touch("one.txt"), { text: "First." }, touch("one.txt"), { text: "Second." }],
      ...[touch("two.txt"), { text: "Third." }],
    ],
  });
  const { page, context, close } = await openTab(served);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const news = page.getByRole("status", { name: "News of the session" });
  await say(page, "one");
  const first = await question(page);
  expect(await first.textContent()).toContain("2 and 3 cover, in this workspace:");
  await news.getByText(/^Permission needed: bash, kept files can be undone here\.$/).waitFor();
  await first.getByRole("button", { name: "Allow in this session" }).click();
  await answer(page, "First.");
  await news.getByText("Answer: First.").waitFor();
  await say(page, "and again");
  await answer(page, "Second.");
  await say(page, "another one");
  await (await question(page)).getByRole("button", { name: "Allow and remember" }).click();
  await answer(page, "Third.");
  expect(existsSync(file("two.txt"))).toBe(true);

  await page.getByRole("button", { name: "Panel", exact: true }).click();
  await page.getByRole("tab", { name: "Rules" }).click();
  const rules = page.getByRole("tabpanel").getByRole("listitem").filter({ hasText: "touch two.txt" });
  await rules.getByRole("button", { name: /^Forget/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await expect.poll(() => rules.count()).toBe(0);

  // The panel covers the answers.
  await page.keyboard.press("Alt+p");
  await page.getByRole("tabpanel").waitFor({ state: "detached" });
  await page.getByRole("article", { name: "Answer" }).last().hover();
  await page.getByRole("button", { name: "Copy the answer" }).last().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("Third.");
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await close();
});

test("a browser can install the page", async () => {
  const { page, close } = await openTab(served);
  const found = await page.evaluate<{
    readonly display: string;
    readonly icons: readonly number[];
  }>(`(async () => {
    const link = document.querySelector("link[rel=manifest]").href;
    const { display, icons } = await (await fetch(link)).json();
    const replies = await Promise.all(icons.map(({ src }) => fetch(src)));
    return { display, icons: replies.map(({ status }) => status) };
  })()`);
  expect(found).toEqual({ display: "standalone", icons: [200, 200, 200] });
  await close();
});

test("a digit answers a question only when it is alone, and never while there is a message", async () => {
  model.use({ turns: [write("keys.txt", "x"), { text: "Written." }] });
  const { page, close } = await openTab(served);
  await say(page, "write");
  await question(page);
  const composer = page.getByLabel("Message to the model");
  await composer.focus();
  await page.keyboard.type("1 file only", { delay: 20 });
  expect(await composer.inputValue()).toBe("1 file only");
  await page.waitForTimeout(700);
  expect(existsSync(file("keys.txt"))).toBe(false);
  await composer.fill("");
  await page.waitForTimeout(400);
  await page.keyboard.press("1");
  await answer(page, "Written.");
  expect(existsSync(file("keys.txt"))).toBe(true);
  await close();
});

test("a call longer than the card can be allowed only after its end was seen", async () => {
  const content = Array.from({ length: 300 }, (_, at) => `line ${at}`).join("\n");
  model.use({ turns: [write("long.txt", content), { text: "Written." }] });
  const { page, close } = await openTab(served);
  await say(page, "write");
  const card = page.getByRole("region", { name: /^Allow/ });
  await card.waitFor();
  const allow = card.getByRole("button", { name: "Allow once" });
  await expect.poll(() => card.getByRole("button", { name: "Deny" }).isEnabled()).toBe(true);
  expect(await allow.isEnabled()).toBe(false);
  await card
    .getByRole("region", { name: "What would run" })
    .evaluate((part) => part.scrollTo(0, part.scrollHeight));
  await expect.poll(() => allow.isEnabled()).toBe(true);
  await allow.click();
  await answer(page, "Written.");
  await close();
});

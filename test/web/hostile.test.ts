/** Checks that text of models, tools and files does nothing in the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { configure, makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { ask, serverFile } from "../served.ts";
import { answer, openTab, question, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const attack =
  '<img src="http://evil.invalid/x.png" onerror="window.owned=1"><script>window.owned=1</script>';
const model = await serveModel();
const served = await serve(model, {
  place: makePlace({
    "<img src=x onerror=window.owned=1>.txt": `${attack}\n\u202egnp.exe\n`,
    "b.txt": "x\n",
  }),
});
/** What the page made of the texts. */
interface Found {
  readonly owned: boolean;
  readonly elements: number;
  readonly links: readonly (readonly [string, string])[];
  readonly text: string;
}

const markdown = `# ${attack}

[click](javascript:window.owned=1) [data](data:text/html,x) [ok](https://example.org/a "t")
![remote](http://evil.invalid/pixel.png) ![odd](javascript:alert(1))
<https://user:pw@evil.invalid/> <iframe src="http://evil.invalid"></iframe> <style>*{display:none}</style>
&#x202e;turned &lt;b&gt;entity&lt;/b&gt; zero\u200bwidth \u202eturned back

| a | b |
|---|---|
| ${attack} | [x](vbscript:1) |

\`\`\`html
${attack}
\`\`\`
<svg onload="window.owned=1"><foreignObject>x</foreignObject></svg>`;

test("hostile text in every field stays text, and nothing is loaded from elsewhere", async () => {
  model.use({
    turns: [
      {
        reasoning: attack,
        text: markdown,
        calls: [
          { name: "read_file", arguments: { path: "<img src=x onerror=window.owned=1>.txt" } },
          { name: `ls${attack}`, arguments: { path: attack } },
          { name: "ls", arguments: {} },
        ],
      },
      { calls: [{ name: "write_file", arguments: { path: "b.txt", content: `${attack}\n\u202ereversed` } }] },
      { text: "The end." },
    ],
  });
  const { page, close } = await openTab(served);
  const foreign: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(served.address) && !url.startsWith("data:")) foreign.push(url);
  });
  await say(page, `look ${attack}`);
  const card = await question(page);
  const asked = (await card.textContent()) ?? "";
  expect(asked).toContain("<script>window.owned=1</script>");
  expect(asked).toContain("\\u202ereversed");
  await card.getByRole("button", { name: "Deny" }).click();
  await answer(page, "The end.");
  const shut = page.locator(":is([data-call] > button, button:has-text('Thought'))[aria-expanded='false']");
  while ((await shut.count()) > 0) await shut.first().click();
  await page.locator(".prose").first().waitFor();
  // The formatted text comes after a moment.
  await page.locator("#transcript a").first().waitFor();
  const found = await page.evaluate<Found>(`({
    owned: "owned" in window,
    elements: document.querySelectorAll(
      "#transcript :is(script, iframe, style, object, embed, form, img, foreignObject), #transcript [onerror], #transcript [onload]",
    ).length,
    links: [...document.querySelectorAll("#transcript a")].map((link) => [link.getAttribute("href"), link.getAttribute("rel")]),
    text: document.querySelector("#transcript").textContent,
  })`);
  expect(found.owned).toBe(false);
  expect(found.elements).toBe(0);
  expect(found.links.length).toBeGreaterThan(0);
  for (const [href, rel] of found.links) {
    expect(href).toMatch(/^(?:https?|mailto):/);
    expect(rel).toBe("noopener noreferrer");
  }
  expect(found.text).toContain("\\u202eturned");
  expect(found.text).toContain("zero\\u200bwidth");
  expect(found.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  expect(foreign).toEqual([]);
  await page.getByRole("button", { name: "Panel" }).click();
  await page.getByRole("tabpanel").getByText("<img src=x onerror=window.owned=1>.txt").waitFor();
  expect(await page.evaluate(`"owned" in window`)).toBe(false);
  await close();
});

test("a name, an answer and a session with hostile text are listed as text", async () => {
  const { page, close } = await openTab(served);
  await page.getByRole("link", { name: /look <img/ }).waitFor();
  expect(await page.title()).not.toContain("\u202e");
  await page.getByLabel("Search sessions").fill("window.owned");
  await page.getByRole("link", { name: /look <img/ }).waitFor();
  expect(await page.evaluate(`"owned" in window`)).toBe(false);
  await close();
});

test("a command with words from right to left is shown in the order of its characters", async () => {
  const command = "cp \u05d0\u05d1\u05d2 \u0645\u0635\u0631/12 \u05d3";
  model.use({ turns: [{ calls: [{ name: "bash", arguments: { command } }] }, { text: "Copied." }] });
  const { page, close } = await openTab(served);
  await say(page, "copy");
  const card = await question(page);
  await card.getByText("\u0645\u0635\u0631").first().waitFor();
  // The place of each character in the texts with such letters: its line, then its distance from the left.
  const places = await page.evaluate<{ readonly text: string; readonly lefts: number[] }[]>(`(() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!/\u05d0\u05d1/.test(node.data) || node.parentElement.closest("textarea") !== null) continue;
      const range = document.createRange();
      const lefts = [...node.data.matchAll(/\\S/gu)].map(({ index }) => {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const { left, top } = range.getBoundingClientRect();
        return Math.round(top) * 10_000 + left;
      });
      found.push({ text: node.parentElement.outerHTML, lefts });
    }
    return found;
  })()`);
  expect(places.length).toBeGreaterThanOrEqual(2);
  for (const { text, lefts } of places) {
    expect(lefts, text).toEqual(lefts.toSorted((one, other) => one - other));
  }
  await card.getByRole("button", { name: "Deny" }).click();
  await answer(page, "Copied.");
  await close();
});

test("a command that prints 100 MB leaves the page usable", async () => {
  const command = "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last line";
  model.use({ turns: [{ calls: [{ name: "bash", arguments: { command } }] }, { text: "It printed much." }] });
  const { page, close } = await openTab(served);
  await say(page, "print");
  const card = await question(page);
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "It printed much.");
  await page.locator('[data-call="bash"] > button').click();
  await page.locator('[data-call="bash"] figure pre').getByText("last line").waitFor();
  await page.getByLabel("Message to the model").fill("still here");
  expect(await page.getByLabel("Message to the model").inputValue()).toBe("still here");
  await close();
});

/** Checks that no hostile text became an element, a handler or a character that turns or hides text. */
async function expectInert(page: Page): Promise<void> {
  const found = await page.evaluate<Omit<Found, "links" | "text"> & { readonly texts: readonly string[] }>(`({
    owned: "owned" in window,
    elements: document.querySelectorAll(
      "script:not([src^='/assets/']), iframe, object, embed, form[action], svg image, img[src*='evil'], img[src='x'], [onerror], [onload]",
    ).length,
    texts: [document.body.textContent, document.title].concat([...document.querySelectorAll("*")].flatMap((one) =>
      [...one.attributes].map(({ name, value }) => one.localName + " " + name + "=" + value))),
  })`);
  expect(found.owned).toBe(false);
  expect(found.elements).toBe(0);
  const hidden = /[\u200b\u202a-\u202e\u2066-\u2069]/;
  expect(found.texts.filter((text) => hidden.test(text) || text.includes("\u001b"))).toEqual([]);
}

test("texts of an MCP server, a model list, tasks, rules, names and clients stay text on every panel", async () => {
  const hostile = '<img src=x onerror="window.owned=1">\u001b[31m\u202eturned\u200b';
  const own = makePlace({ "a.txt": "x\n" });
  const peer = join(import.meta.dirname, "hostile-peer.ts");
  const servers = { kettle: { command: process.execPath, args: [peer, hostile] } };
  configure(own, "mcp.json", JSON.stringify({ mcpServers: servers }));
  configure(own, "commands/tea.md", `---\ndescription: ${hostile}\n---\n${hostile}\n`);
  const other = await serve(model, {
    place: own,
    wire: ["--provider", "ollama", "--base-url", model.origin, "--model", "fake-model"],
  });
  onTestFinished(() => other.kill());
  const capabilities = ["completion", "tools"];
  model.use({
    models: [
      { name: "fake-model", capabilities, contextLength: 32_768, listsDetails: true },
      { name: `m<img src=x onerror=window.owned=1>`, capabilities, contextLength: 8_192 },
    ],
    turns: [
      { calls: [{ name: "add_task", arguments: { content: hostile } }] },
      { calls: [{ name: "kettle__brew", arguments: { text: hostile, [hostile]: hostile } }] },
      { calls: [{ name: "bash", arguments: { command: `printf '%s' '${hostile}'` } }] },
      { text: "The end." },
    ],
  });
  const { page, close } = await openTab(other);
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(other.address)) foreign.push(request.url());
  });
  await say(page, hostile);
  const card = await question(page);
  await card.getByText("kettle__brew").first().waitFor();
  await expectInert(page);
  // Another client with a hostile name answers, and its answer is remembered as a rule.
  const id = page.url().split("/").at(-1) ?? "";
  const { token } = JSON.parse(readFileSync(serverFile(own), "utf8"));
  const headers = {
    Authorization: `Bearer ${token}`,
    "Localharness-Client": "<img src=x onerror=window.owned=1>",
  };
  const post = (path: string, body: object) =>
    ask(`${other.address}/api/sessions/${id}/${path}`, "POST", body, headers);
  const requestId = await new Promise<string>((resolve) => {
    const address = `${other.address.replace("http", "ws")}/ws?session=${id}`;
    const socket = new WebSocket(address, ["localharness", `key.${token}`]);
    socket.addEventListener("message", ({ data }) => {
      const asked = /"requestId":"([^"]+)"/.exec(String(data))?.[1];
      if (asked === undefined) return;
      socket.close();
      resolve(asked);
    });
  });
  const answered = await post("commands", { type: "permission-answer", requestId, answer: "remember" });
  expect(answered.status).toBe(202);
  await page.locator('[data-call="bash"]').waitFor();
  await (await question(page)).getByRole("button", { name: "Allow once" }).click();
  await answer(page, "The end.");
  await post("name", { name: hostile });
  const shut = page.locator("[data-call] > button[aria-expanded='false']");
  while ((await shut.count()) > 0) await shut.first().click();
  await expectInert(page);
  await page.getByRole("button", { name: "Panel", exact: true }).click();
  for (const [name, shows] of [
    ["Files", "a.txt"],
    ["Tasks", "<img src=x"],
    ["Context", "requests"],
    ["Tools", "kettle__brew"],
    ["MCP", "kettle__brew"],
    ["Rules", "kettle__brew"],
  ] as const) {
    await page.getByRole("tab", { name }).click();
    await page.getByRole("tabpanel").getByText(shows).first().waitFor();
    await expectInert(page);
  }
  await page.getByRole("button", { name: "Model: fake-model" }).click();
  await page.getByRole("option", { name: /^m<img/ }).waitFor();
  await expectInert(page);
  await page.keyboard.press("Escape");
  await page.getByLabel("Message to the model").fill("/tea");
  await page.getByText("<img src=x").first().waitFor();
  await expectInert(page);
  expect(foreign).toEqual([]);
  await close();
});

test("a page of this server under a rebound name is refused, and a page of another origin learns nothing", async () => {
  const { page, context } = await openTab(served);
  const { port } = new URL(served.address);
  const reply = await page.goto(`http://rebound.example:${port}/`);
  expect(reply?.status()).toBe(403);
  const got = await page.evaluate<string>(`(async () => {
    const own = await fetch("/api/hub").then((reply) => String(reply.status), String);
    const other = await fetch("${served.address}/health").then((reply) => String(reply.status), String);
    return [own, other].join();
  })()`);
  expect(got).toBe("403,TypeError: Failed to fetch");
  await context.close();
});

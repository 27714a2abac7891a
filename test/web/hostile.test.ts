/** Checks that text of models, tools and files does nothing in the page. */
import { expect, test } from "vitest";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
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

/** Checks the questions of MCP servers in a browser: the form, the answers, and text that tries to be something else. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { configure, makePlace, root } from "../run-program.ts";
import { argumentsFor, serveModel } from "../serve-model.ts";
import { checkPage } from "./check-page.ts";
import { answer, openTab, say, serve, useBrowser } from "./open-browser.ts";

useBrowser();
const model = await serveModel();
const place = makePlace();
const peer = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
const servers = { notes: { command: process.execPath, args: [peer, "requests"], sampling: true } };
configure(place, "mcp.json", JSON.stringify({ mcpServers: servers }));
configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
const wire = [...argumentsFor(model), "--sandbox", "off", "--mode", "bypass"];
const served = await serve(model, { place, wire });

/** Lets the model call the tool that sends this request, and answer "Oolong." to a request that begins with "Name a tea.". */
function sends(method: string, params: object): void {
  const text = JSON.stringify({ method, params });
  const conversations = [{ says: "Name a tea.", turns: [{ text: "Oolong." }] }];
  const turns = [{ calls: [{ name: "notes__request", arguments: { text } }] }, { text: "Done." }];
  model.use({ turns, conversations });
}

const asks = (params: object) => sends("elicitation/create", params);

/** Returns the reply that the server got, from the result that the model read. */
function reply(): object {
  const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
    readonly role: string;
    readonly content: string;
  }[];
  const { data } = JSON.parse(messages.findLast(({ role }) => role === "tool")?.content ?? "{}");
  return JSON.parse(/\{.*\}/s.exec(data)?.[0] ?? "{}").result;
}

const properties = {
  name: { type: "string", title: "Your name", description: "As it is printed" },
  age: { type: "integer" },
  tall: { type: "boolean", default: true },
  color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
  days: { type: "array", items: { type: "string", enum: ["mo", "tu"] } },
};
const form = {
  message: "Who are you?",
  requestedSchema: { type: "object", properties, required: ["name", "age"] },
};

test("a form is filled in, wrong values are named, and the server gets what was sent", async () => {
  asks(form);
  const { page, close } = await openTab(served);
  await say(page, "go");
  const card = page.getByRole("form", { name: 'The MCP server "notes" asks you' });
  await card.getByText("Who are you?").waitFor();
  await card.getByText("As it is printed").waitFor();
  await checkPage(page);
  await page.getByText("waits for your answer").waitFor();
  await card.getByLabel("Your name").fill("Ada");
  await card.getByLabel("age").fill("old");
  await card.getByText("Scroll to the end of the question").waitFor();
  await card.getByRole("region", { name: "What it asks" }).hover();
  await page.mouse.wheel(0, 5_000);
  await card.getByRole("button", { name: "Send" }).click();
  await card.getByText("expected a whole number").waitFor();
  await card.getByLabel("age").fill("36");
  expect(await card.getByLabel("tall").inputValue()).toBe("yes");
  await card.getByLabel("color").selectOption("Green");
  await card.getByLabel("tu").check();
  await card.getByRole("button", { name: "Send" }).click();
  await answer(page, "Done.");
  expect(reply()).toEqual({
    action: "accept",
    content: { name: "Ada", age: 36, tall: true, color: "g", days: ["tu"] },
  });
  await page.getByText(/The question of the MCP server "notes" was answered by /).waitFor();
  expect(await card.count()).toBe(0);
  await close();
});

test("hostile text stays text, a reload keeps the question, and another browser declines it", async () => {
  const hostile = '<img src=x onerror="document.title=1"> [click](javascript:1)\u202e\u001b[2J';
  const schema = { type: "object", properties: { "<b>k</b>": { type: "string", description: hostile } } };
  asks({ message: hostile, requestedSchema: schema });
  const first = await openTab(served);
  const second = await openTab(served);
  await say(first.page, "go");
  const card = first.page.getByRole("form", { name: 'The MCP server "notes" asks you' });
  await card.getByText("<img src=x").first().waitFor();
  await first.page.reload();
  await card.getByText("<img src=x").first().waitFor();
  expect(await card.locator("img, a, b").count()).toBe(0);
  const shown = await card.innerText();
  expect(["\u202e", "\u001b"].filter((one) => shown.includes(one))).toEqual([]);
  await second.page.goto(first.page.url());
  await second.page.getByRole("button", { name: "Decline" }).click();
  await answer(first.page, "Done.");
  expect(reply()).toEqual({ action: "decline" });
  await first.page.getByText(/The question of the MCP server "notes" was declined by /).waitFor();
  expect(await card.count()).toBe(0);
  await first.close();
  await second.close();
});

test("a page is shown with its whole address, and nothing opens it", async () => {
  const url = `https://login.example/${"long/".repeat(40)}end`;
  asks({ mode: "url", message: "Sign in", url, elicitationId: "1" });
  const { page, context, close } = await openTab(served);
  await say(page, "go");
  const card = page.getByRole("form", { name: 'The MCP server "notes" asks you' });
  await card.getByText(url).waitFor();
  expect(await card.getByRole("link").count()).toBe(0);
  await card.getByRole("button", { name: "I open the page" }).click();
  await answer(page, "Done.");
  expect(reply()).toEqual({ action: "accept" });
  expect(context.pages()).toHaveLength(1);
  await close();
});

test("a request for the model is shown in full, and allowed once", async () => {
  const messages = [{ role: "user", content: { type: "text", text: "Name a tea. <b>x</b>" } }];
  sends("sampling/createMessage", { systemPrompt: "Be short.", messages, maxTokens: 50 });
  const { page, close } = await openTab(served);
  await say(page, "go");
  const card = page.getByRole("form", { name: 'The MCP server "notes" asks for an answer of your model' });
  await card.getByText("│ Be short.").waitFor();
  await card.getByText("│ Name a tea. <b>x</b>").waitFor();
  await card.getByText("at most 50 tokens").waitFor();
  await card.getByRole("button", { name: "Allow once" }).click();
  await answer(page, "Done.");
  expect(reply()).toMatchObject({ role: "assistant", content: { type: "text", text: "Oolong." } });
  await close();
});

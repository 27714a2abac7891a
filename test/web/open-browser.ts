/** Starts a server with a scripted model, and Chromium on its web app. */
import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { FakeServer } from "../../packages/models/test/fake-server/index.ts";
import { hangMs } from "../measures.ts";
import { makePlace, type Place, type Run, start } from "../run-program.ts";
import { argumentsFor } from "../serve-model.ts";
import { ask, serverFile } from "../served.ts";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name that leads to this machine, as a rebound one does.
  "--host-resolver-rules=MAP rebound.example 127.0.0.1",
];

/** A server of the program, with its own home folder and workspace. */
export interface Served {
  readonly place: Place;
  readonly address: string;
  /** Returns a link that pairs one browser. */
  link(): Promise<string>;
  /** Ends the server as a crash would, and starts it again on the same port. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  begin(): Promise<void>;
}

export async function serve(
  model: FakeServer,
  options: { place?: Place; args?: readonly string[]; wire?: readonly string[] } = {},
): Promise<Served> {
  const place = options.place ?? makePlace();
  let running: Run;
  let address = "";
  const begin = async () => {
    const listen = address === "" ? "127.0.0.1:0" : new URL(address).host;
    const wire = options.wire ?? argumentsFor(model);
    running = await start(["serve", "--listen", listen, ...wire, ...(options.args ?? [])], { place });
    await running.said("#pair=");
    address = /http:\/\/[^/\s]+/.exec(running.output().stdout)?.[0] ?? "";
  };
  const kill = async () => {
    running.child.kill("SIGKILL");
    await running.ended;
  };
  await begin();
  afterAll(kill);
  return {
    place,
    address,
    async link() {
      const { token } = JSON.parse(readFileSync(serverFile(place), "utf8"));
      const reply = await ask(`${address}/api/codes`, "POST", {}, { Authorization: `Bearer ${token}` });
      return `${address}/#pair=${reply.json.code}`;
    },
    kill,
    begin,
    async restart() {
      await kill();
      await begin();
    },
  };
}

let browser: Browser;

/** Starts Chromium for the tests of a file. Call it at the top of the file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: flags,
    });
  });
  afterAll(() => browser.close());
}

export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Closes the tab. Rejects when the page had an error, or its content policy refused something. */
  close(): Promise<void>;
}

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** Opens a paired tab. `prepare` gets the page before it loads. */
export async function openTab(
  served: Pick<Served, "link">,
  options: ContextOptions = {},
  prepare?: (page: Page) => Promise<void>,
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // Playwright's own limit of 30 s can pass on a busy machine.
  context.setDefaultTimeout(2 * hangMs);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error.stack)));
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) problems.push(message.text());
  });
  await prepare?.(page);
  await page.goto(await served.link());
  await page.getByLabel("Message to the model").waitFor();
  const close = async () => {
    await context.close();
    expect(problems).toEqual([]);
  };
  return { page, context, close };
}

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message to the model").fill(text);
  await page.keyboard.press("Enter");
}

/** Waits for an answer of the model with this text. Rejects with what the page shows in its place. */
export async function answer(page: Page, text: string): Promise<void> {
  const found = page.getByRole("article", { name: "Answer" }).getByText(text).first();
  await found.waitFor().catch(async (error: unknown) => {
    const shown = await page.locator("body").innerText();
    throw new Error(`no answer "${text}" came; the page at ${page.url()} shows:\n${shown}`, { cause: error });
  });
}

/** Waits until the question may be answered. Resolves to its element. */
export async function question(page: Page) {
  const card = page.getByRole("region", { name: /^Allow/ });
  await card.waitFor();
  await expect.poll(() => card.getByRole("button", { name: "Allow once" }).isEnabled()).toBe(true);
  return card;
}

/** Opens the web app in Chromium and measures what it costs there. */
import { readFileSync } from "node:fs";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import type { ServedProgram } from "../../scripts/corpus/attacks/served.ts";

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  /** Returns the seconds that the page's main thread has worked. */
  workSeconds(): Promise<number>;
  /** Returns the memory, after a garbage collection, of the page's scripts and of its whole process. */
  memory(): Promise<{ readonly heapMb: number; readonly processMb: number }>;
}

export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
    ],
  });
}

/** Opens a page that is paired, on the first screen. */
export async function openPage(browser: Browser, served: ServedProgram): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const { code } = (await served.api("POST", "/api/codes", {})) as { readonly code: string };
  await page.goto(`http://127.0.0.1:${served.port}/#pair=${code}`);
  await page.locator("#message").waitFor();
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable");
  return {
    page,
    workSeconds: () => metric(client, "TaskDuration"),
    async memory() {
      await client.send("HeapProfiler.collectGarbage");
      const heapMb = (await metric(client, "JSHeapUsedSize")) / 1e6;
      return { heapMb, processMb: await largestRendererMb(browser) };
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function metric(client: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** Returns the resident memory of the largest renderer, which is that of the page: the others have no page. */
async function largestRendererMb(browser: Browser): Promise<number> {
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send("SystemInfo.getProcessInfo");
  await client.detach();
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => residentMb(id));
  return Math.max(...sizes);
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

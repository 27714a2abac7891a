/** Checks `@localharness/detect` as published: packs it, installs it into an empty folder, runs it there and in a browser. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDetect } from "../scripts/build-detect.ts";
import { hangMs } from "./measures.ts";
import { root } from "./run-program.ts";

const run = promisify(execFile);
const browser = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

let folder: string;
let built: string;
let app: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lh-library-"));
  built = join(folder, "built");
  app = await mkdtemp(join(folder, "app-"));
  await buildDetect(built);
  const { stdout } = await run("npm", ["pack", built, "--pack-destination", folder, "--json"]);
  const packed: readonly { filename: string }[] = JSON.parse(stdout);
  const tarball = join(folder, packed[0]?.filename ?? "");
  await writeFile(join(app, "package.json"), '{"private":true,"type":"module"}');
  await run("npm", ["install", tarball, "--offline", "--no-audit", "--no-fund"], { cwd: app });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program that reads a streamed call, writes it in every format and gives one JSON object. */
const program = `
const tools = [{ name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } }];
const detector = createDetector({ tools });
const events = [..."Hm. <tool_call>{'name': 'read_file', 'arguments': {'path': 'a.txt'}}</tool_call>"]
  .flatMap((piece) => detector.push(piece)).concat(detector.end());
const { calls, text } = summarize(events);
const call = { id: "1", name: "read_file", arguments: { path: "ü.txt" } };
const lost = formats.filter(({ id }) => {
  const written = toMessages(id, { text: "", calls: [call], results: [] })[0].content;
  return summarize(detect(written, { tools })).calls[0]?.arguments.path !== "ü.txt";
});
const answer = { text, path: calls[0].arguments.path, repairs: calls[0].repairs, formats: formats.length, lost };
`;
const names = "createDetector, detect, formats, summarize, toMessages";
const answer = {
  text: "Hm. ",
  path: "a.txt",
  repairs: ["single-quotes"],
  formats: expect.any(Number),
  lost: [],
};

describe("the packed library", () => {
  it("has no dependencies", async () => {
    const lock = JSON.parse(await readFile(join(app, "package-lock.json"), "utf8"));
    expect(Object.keys(lock.packages)).toEqual(["", "node_modules/@localharness/detect"]);
  });

  it("reads and writes calls in Node", async () => {
    const code = `import { ${names} } from "@localharness/detect";${program}console.log(JSON.stringify(answer));`;
    await writeFile(join(app, "run.js"), code);
    const { stdout } = await run(process.execPath, ["run.js"], { cwd: app });
    expect(JSON.parse(stdout)).toEqual(answer);
  });

  it("has a middleware that loads without the AI SDK", async () => {
    const code =
      'import { toolCalls } from "@localharness/detect/ai-sdk";console.log(toolCalls().specificationVersion);';
    await writeFile(join(app, "middleware.js"), code);
    const { stdout } = await run(process.execPath, ["middleware.js"], { cwd: app });
    expect(stdout.trim()).toBe("v4");
  });

  it("has types that a strict program compiles against", async () => {
    const code = `import { detect, type DetectEvent } from "@localharness/detect";
export const events: DetectEvent[] = detect("", { tools: [], format: "hermes" });
// @ts-expect-error: there is no such format
detect("", { tools: [], format: "morse" });
`;
    await writeFile(join(app, "typed.ts"), code);
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const flags = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023"];
    await run(process.execPath, [compiler, ...flags, "--ignoreConfig", "typed.ts"], { cwd: app });
  });

  it("passes the checks of package tools", async () => {
    const tool = (name: string) => join(root, "node_modules", name);
    const publint = await run(process.execPath, [tool("publint/src/cli.js"), built, "--strict"]);
    expect(publint.stdout).toContain("All good!");
    const attw = [tool("@arethetypeswrong/cli/dist/index.js"), "--pack", built, "--profile", "esm-only"];
    expect((await run(process.execPath, attw)).stdout).toContain("@localharness/detect/ai-sdk");
  });
});

describe.skipIf(!existsSync(browser))(`in a browser (skipped where there is no ${browser})`, () => {
  let server: Server;
  let address: string;
  beforeAll(async () => {
    server = createServer((request, response) => void serve(request.url ?? "/", response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const imports = `import { ${names} } from "/node_modules/@localharness/detect/lib/index.js";${program}`;
  const pages: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/": ["text/html", `<!doctype html><script type="module">${imports}globalThis.answer = answer;</script>`],
    "/worker": [
      "text/html",
      `<!doctype html><script type="module">
        new Worker("/worker.js", { type: "module" }).onmessage = (event) => { globalThis.answer = event.data; };
      </script>`,
    ],
    "/worker.js": ["text/javascript", `${imports}postMessage(answer);`],
  };

  async function serve(url: string, response: import("node:http").ServerResponse): Promise<void> {
    const page = pages[url];
    if (page !== undefined) response.writeHead(200, { "content-type": page[0] }).end(page[1]);
    else if (!url.startsWith("/node_modules/") || url.includes("..")) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/javascript" }).end(await readFile(join(app, url)));
  }

  it.each(["/", "/worker"])("reads and writes calls at %s", async (path) => {
    const instance = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
    try {
      const page = await instance.newPage();
      await page.goto(address + path);
      const handle = await page.waitForFunction("globalThis.answer", undefined, { timeout: hangMs });
      expect(await handle.jsonValue()).toEqual(answer);
    } finally {
      await instance.close();
    }
  });
});

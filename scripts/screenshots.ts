/**
 * Makes the pictures in docs/screenshots: it runs the real program in a pseudo-terminal with a scripted model server,
 * and a browser draws the content of the terminal emulator. Needs `script` of util-linux and Chromium (`CHROMIUM`, else
 * /usr/bin/chromium).
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { startFakeServer } from "../packages/models/test/fake-server/index.ts";
import { drawPage } from "./screenshots/draw-page.ts";
import { openScreen } from "./screenshots/open-screen.ts";
import { defaultSize, type Scene, scenes } from "./screenshots/scenes.ts";

const target = join(import.meta.dirname, "..", "docs", "screenshots");
const maxBytes = 120_000;

const files: Readonly<Record<string, string>> = {
  "src/times.json":
    '{\n  "green": { "minutes": 2, "degrees": 80 },\n  "black": { "minutes": 40, "degrees": 95 }\n}\n',
  "src/tea.ts":
    'import times from "./times.json" with { type: "json" };\n\nexport const minutes = (tea: string) => times[tea].minutes;\n',
  "README.md": "# Tea shop\n",
};

async function main(wanted: readonly string[]): Promise<void> {
  mkdirSync(target, { recursive: true });
  const base = mkdtempSync(join(tmpdir(), "screens-"));
  const place = makePlace(base);
  const server = await startFakeServer({ turns: [] });
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--font-render-hinting=none"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    for (const scene of scenes) {
      if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
      server.use(scene.scenario);
      await shoot(scene, page, place, server.origin);
    }
  } finally {
    await browser.close();
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

async function shoot(scene: Scene, page: Page, place: Place, origin: string): Promise<void> {
  const args = ["--provider", "ollama", "--base-url", origin, "--model", "qwen3:8b", ...(scene.args ?? [])];
  const screen = openScreen(scene.size ?? defaultSize, place, args);
  try {
    await screen.waitFor(/─{10}/);
    await scene.play(screen);
    await page.setContent(drawPage(screen.emulator));
    const path = join(target, `${scene.name}.png`);
    await page.locator("#screen").screenshot({ path });
    const { size } = statSync(path);
    process.stdout.write(`${scene.name}.png ${(size / 1_000).toFixed(0)} KB\n`);
    if (size > maxBytes) throw new Error(`${path} has ${size} bytes, expected at most ${maxBytes}`);
  } finally {
    screen.close();
  }
}

interface Place {
  readonly home: string;
  readonly workspace: string;
}

/** Creates the workspace, and a home folder whose settings trust it and use the dark theme. */
function makePlace(base: string): Place {
  const place = { home: join(base, "home"), workspace: join(base, "tea-shop") };
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [name, text] of Object.entries(files)) put(join(place.workspace, name), text);
  const path = realpathSync(place.workspace);
  const folder = { path, owner: statSync(path).uid, trusted: true, decided: 0 };
  const config = join(place.home, ".config", "localharness");
  put(join(config, "trust.json"), JSON.stringify({ version: 1, folders: [folder] }));
  put(join(config, "config.json"), JSON.stringify({ theme: "dark", num_ctx: 16_384 }));
  return place;
}

if (import.meta.main) await main(process.argv.slice(2));

/** Builds the web app into `packages/web/dist` and prints what a first visit loads. `npm run build:web` runs it. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/vite";
import { build } from "vite";

const root = join(import.meta.dirname, "..");
const app = join(root, "packages", "web");

/** The folder that `buildWeb` fills. */
export const webDist: string = join(app, "dist");

/** The maximum size of a first visit in bytes: HTML, scripts, styles and fonts, compressed with gzip. */
export const maxFirstLoad = 300_000;

if (import.meta.main) {
  await buildWeb();
  const { bytes, files } = await firstLoad(webDist);
  process.stdout.write(`first load: ${(bytes / 1_000).toFixed(1)} KB gzip in ${files} files\n`);
  if (bytes > maxFirstLoad) {
    throw new Error(`a first visit may load at most ${maxFirstLoad} bytes, this build needs ${bytes}`);
  }
}

export async function buildWeb(): Promise<void> {
  await build({
    configFile: false,
    root: app,
    logLevel: "error",
    plugins: [tailwind()],
    // Vite would take the mode of the program that builds, which in a test is not production.
    define: { "process.env.NODE_ENV": '"production"' },
    oxc: { jsx: { runtime: "automatic", development: false } },
    build: {
      outDir: webDist,
      emptyOutDir: true,
      target: "es2023",
      // The policy of the server allows no inline script, style or font.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: "licenses.md" },
    },
  });
}

/** Builds the web app if there is no build or a source is newer than it. */
export async function buildWebIfStale(): Promise<void> {
  const built = await stat(join(webDist, "index.html")).catch(() => undefined);
  const places = [
    "packages/web/src",
    "packages/web/public",
    "packages/web/index.html",
    "packages/protocol/src",
    "scripts/build-web.ts",
  ];
  const times = await Promise.all(places.map((place) => newest(join(root, place))));
  if (built === undefined || built.mtimeMs < Math.max(...times)) await buildWeb();
}

/** Returns the time of the newest change in a folder or of a file, in Unix milliseconds. */
async function newest(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(path);
  return Math.max(0, ...(await Promise.all(entries.map((entry) => newest(join(path, entry))))));
}

/** Returns the gzip size and the number of the files of a first visit: the page, the files that it names, and the fonts. */
export async function firstLoad(folder: string): Promise<{ readonly bytes: number; readonly files: number }> {
  const page = await readFile(join(folder, "index.html"));
  const names = [...page.toString().matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, name = ""]) => name);
  const fonts = (await readdir(join(folder, "assets"))).filter((name) => name.endsWith(".woff2"));
  const paths = [...names, ...fonts.map((name) => `assets/${name}`)];
  const files = await Promise.all(paths.map((path) => readFile(join(folder, path))));
  const bytes = [page, ...files].reduce((sum, file) => sum + gzipSync(file).length, 0);
  return { bytes, files: files.length + 1 };
}

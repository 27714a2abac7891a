/** Checks the web app as it is built: its size, and that its content policy has nothing to refuse. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { firstLoad, maxFirstLoad } from "../scripts/build-web.ts";
import { program, root } from "./run-program.ts";

const built = join(dirname(dirname(program())), "web");

test("a first visit loads less than 300 KB", async () => {
  const { bytes, files } = await firstLoad(built);
  expect(files).toBeGreaterThan(4);
  expect(bytes).toBeLessThan(maxFirstLoad);
});

test("the page has the React of production, whatever program builds it", () => {
  const scripts = readdirSync(join(built, "assets")).filter((name) => name.endsWith(".js"));
  const texts = scripts.map((name) => readFileSync(join(built, "assets", name), "utf8"));
  expect(texts.filter((text) => text.includes("react.dev/errors/"))).not.toEqual([]);
  expect(texts.filter((text) => /jsxDEV|React DevTools/.test(text))).toEqual([]);
});

test("the page has no inline script or style, and loads nothing from elsewhere", () => {
  const page = readFileSync(join(built, "index.html"), "utf8");
  expect(page).not.toMatch(/<style|<script(?![^>]*\bsrc=)[^>]*>|\sstyle=|\son\w+=/);
  expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link)).toEqual(
    expect.arrayContaining(["/app.webmanifest", "/icon.svg"]),
  );
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test("only the web app has components, and none of them writes HTML", () => {
  const sources = readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /^[a-z]+\/src\/.*\.tsx?$/.test(name),
  );
  expect(sources.filter((name) => name.endsWith(".tsx") && !name.startsWith("web/"))).toEqual([]);
  const web = sources.filter((name) => name.startsWith("web/"));
  expect(web.length).toBeGreaterThan(30);
  const writers = web.filter((name) =>
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser/.test(
      readFileSync(join(root, "packages", name), "utf8"),
    ),
  );
  expect(writers).toEqual([]);
});

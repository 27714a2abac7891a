import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cacheFolders } from "../../src/sandbox/cache-folders.ts";

function homeFolder(): { readonly home: string; readonly elsewhere: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-caches-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [home, elsewhere] = [join(root, "home"), join(root, "elsewhere")];
  mkdirSync(home);
  mkdirSync(elsewhere);
  return { home, elsewhere };
}

test("a cache that is missing is created for its owner only, one that exists stays", () => {
  const { home } = homeFolder();
  mkdirSync(join(home, ".npm"));
  const found = cacheFolders(["~/.npm/_cacache", "~/.cache/pip"], home);
  expect(found).toEqual([join(home, ".npm/_cacache"), join(home, ".cache/pip")]);
  for (const path of found) expect(existsSync(path)).toBe(true);
});

test.each<readonly [string, (home: string, elsewhere: string) => void]>([
  ["the cache is a link", (home, elsewhere) => symlinkSync(elsewhere, join(home, ".cache"))],
  [
    "its last folder is a link",
    (home, elsewhere) => {
      mkdirSync(join(home, ".cache"));
      symlinkSync(elsewhere, join(home, ".cache/pip"));
    },
  ],
  ["it is a link to nothing", (home) => symlinkSync("nowhere", join(home, ".cache"))],
  ["it is a file", (home) => writeFileSync(join(home, ".cache"), "")],
])("a command gets no cache if %s", (_, prepare) => {
  const { home, elsewhere } = homeFolder();
  prepare(home, elsewhere);
  expect(cacheFolders(["~/.cache/pip"], home)).toEqual([]);
  expect(existsSync(join(elsewhere, "pip"))).toBe(false);
});

test("a home folder that is a link itself is followed", () => {
  const { home, elsewhere } = homeFolder();
  symlinkSync(home, join(elsewhere, "me"));
  expect(cacheFolders(["~/.cache/pip"], join(elsewhere, "me"))).toEqual([join(home, ".cache/pip")]);
});

/** Checks what is shown of a home folder, on real folders. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hiddenHomes } from "../../../src/sandbox/home/hidden-homes.ts";
import { shownHome } from "../../../src/sandbox/home/shown-places.ts";
import { gitConfigs, shownRows } from "../../../src/sandbox/home/shown-table.ts";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "lh-shown-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text = ""): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function link(target: string, path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  symlinkSync(target, join(home, path));
}

interface Further {
  readonly environment?: Record<string, string>;
  readonly writable?: readonly string[];
  readonly named?: readonly string[];
}

/** Returns what is shown, with paths relative to the home folder, without this program's own places. */
async function look({ environment = {}, writable = [], named = [] }: Further = {}) {
  const inHome = (path: string) => path.replace(`${home}/`, "");
  const { shown, links, replaced } = await shownHome({
    homes: [home],
    writable: writable.map((path) => join(home, path)),
    named: named.map((path) => ({ path: join(home, path), why: "named" })),
    environment: { HOME: home, ...environment },
  });
  return {
    shown: shown.map(({ path }) => inHome(path)).sort(),
    links: links.map(({ path, target }) => `${inHome(path)} -> ${target}`).sort(),
    replaced: [...replaced.keys()].map(inHome),
  };
}

test("the table has each path once, none of which is a secret or above one", () => {
  const paths = [...shownRows.flatMap((row) => row.paths.split(/\s+/)), ...gitConfigs];
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.filter((path) => secretName(path) !== undefined)).toEqual([]);
  const broad = [".config", ".cache", ".local", ".local/share", ".local/state", ".ssh", "."];
  expect(paths.filter((path) => broad.includes(path) || path.startsWith("/") || path.includes(".."))).toEqual(
    [],
  );
});

test("only what the table has is shown, once and where it exists", async () => {
  for (const path of [
    ".nvm/v/bin/node",
    ".cargo/bin/cargo",
    ".cargo/credentials.toml",
    "notes.txt",
    ".config/x",
  ]) {
    put(path);
  }
  expect(await look()).toEqual({ shown: [".cargo/bin", ".nvm"], links: [], replaced: [] });
});

test("settings are shown if they have no password", async () => {
  put(".cargo/config.toml", "[net]\noffline = true\n");
  put(".config/pip/pip.conf", "[global]\nindex-url = https://a:b@c/simple\n");
  expect((await look()).shown).toEqual([".cargo/config.toml"]);
});

describe("git", () => {
  test("its settings are shown with what they include and name", async () => {
    const include = '[include]\n\tpath = .gitconfig-work\n[includeIf "gitdir:~/w/"]\n\tpath = ~/w/git.inc\n';
    put(".gitconfig", `${include}[core]\n\texcludesFile = ~/.ignored\n\thooksPath = /etc/hooks\n`);
    for (const path of [".gitconfig-work", "w/git.inc", ".ignored", "w/other"]) put(path);
    expect((await look()).shown).toEqual([".gitconfig", ".gitconfig-work", ".ignored", "w/git.inc"]);
  });

  test("settings with passwords are shown without them, and secrets are not followed", async () => {
    put(
      ".gitconfig",
      "[github]\n\ttoken = x\n[include]\n\tpath = ~/.netrc\n[core]\n\texcludesFile = ~/.aws/x\n",
    );
    put(".netrc");
    put(".aws/x");
    expect(await look()).toEqual({ shown: [".gitconfig"], links: [], replaced: [".gitconfig"] });
  });
});

describe("PATH", () => {
  test("leads to toolchains that the table does not have, without what lies beside them", async () => {
    for (const path of [
      "kit/bin/x",
      "kit/lib/y",
      "kit/notes",
      "files/bin/z",
      "files/letters",
      "apps/q/bin/q",
    ]) {
      put(path);
    }
    put("apps/q/lib/q.so");
    link("../../apps/q/bin/q", ".local/bin/q");
    const path = ["kit/bin", "files/bin", ".local/bin", "."].map((one) => join(home, one)).join(":");
    expect((await look({ environment: { PATH: `${path}:bin:/usr/bin` } })).shown).toEqual(
      [".local/bin", "apps/q/bin", "apps/q/lib", "files/bin", "kit/bin", "kit/lib"].sort(),
    );
  });

  test("in a folder that commands can write leads to nothing", async () => {
    put("w/bin/x");
    put("private/key");
    link("../../private/key", "w/bin/y");
    const environment = { PATH: join(home, "w/bin") };
    expect((await look({ environment, writable: ["w"] })).shown).toEqual([]);
  });
});

test("variables move a toolchain, and one that names the home folder shows nothing", async () => {
  put("tool/py/version");
  put("moved/git/ignore");
  const environment = {
    PYENV_ROOT: join(home, "tool/py"),
    JAVA_HOME: home,
    XDG_CONFIG_HOME: join(home, "moved"),
  };
  expect((await look({ environment })).shown).toEqual(["moved/git/ignore", "tool/py"]);
});

test("links on the way are made again, and those out of the home folder", async () => {
  put("dots/git/ignore");
  link("../dots/git", ".config/git");
  link("/usr", ".rustup");
  link("gone", ".pyenv");
  link(".loop", ".loop");
  expect(await look()).toEqual({
    shown: ["dots/git/ignore"],
    links: [".config/git -> ../dots/git", ".rustup -> /usr"],
    replaced: [],
  });
});

test("a folder around what commands can write is shown in parts", async () => {
  for (const path of ["code/one/src/a", "code/one/.git/HEAD", "code/one/readme", "code/two/b"]) put(path);
  const writable = ["code/one/src", "code/one/.git"];
  expect((await look({ writable, named: ["code/one"] })).shown).toEqual(["code/one/readme"]);
});

test("no home folder is hidden that is the workspace, or in it", () => {
  const isHidden = (workspace: string) => hiddenHomes(workspace, "linux").length > 0;
  expect(isHidden("/")).toBe(false);
  expect(hiddenHomes("/nowhere", "darwin")).toEqual([]);
});

/** A file is protected, or a secret, by the name that a link in the home folder gives to it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { namesToHold, protectedName } from "../../src/paths/protected.ts";
import { secretName } from "../../src/paths/secret-name.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "lh-home-")));
const dots = join(home, "dots");
mkdirSync(join(dots, "cloud"), { recursive: true });
mkdirSync(join(home, ".config/fish"), { recursive: true });
for (const name of ["rc", "editor", "notes", "start.fish"]) writeFileSync(join(dots, name), "");
symlinkSync("dots/rc", join(home, ".zshrc"));
symlinkSync(join(dots, "cloud"), join(home, ".aws"));
symlinkSync(join(dots, "start.fish"), join(home, ".config/fish/config.fish"));
symlinkSync(join(dots, "absent"), join(home, ".profile"));
symlinkSync(join(dots, "notes"), join(home, "notes"));
vi.stubEnv("HOME", home);
afterAll(() => vi.unstubAllEnvs());

test.each<[path: string, name: string | undefined]>([
  ["rc", ".zshrc"],
  ["start.fish", ".config/fish"],
  ["notes", undefined],
  ["editor", undefined],
])("%s is protected as %s", (path, name) => {
  expect(protectedName(path, dots)).toBe(name);
  expect(protectedName(join(dots, path), "/srv/app")).toBe(name);
  expect(protectedName(path)).toBeUndefined();
});

test.each<[path: string, name: string | undefined]>([
  ["cloud/credentials", ".aws/credentials"],
  ["notes", undefined],
])("%s is a secret as %s", (path, name) => {
  expect(secretName(path, dots)).toBe(name);
  expect(secretName(path)).toBeUndefined();
});

test("a home folder that is a link itself is known by both names", () => {
  const link = `${home}-link`;
  symlinkSync(home, link);
  vi.stubEnv("HOME", link);
  vi.stubEnv("XDG_CONFIG_HOME", join(link, "settings"));
  onTestFinished(() => {
    rmSync(link);
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_CONFIG_HOME", undefined);
  });
  for (const folder of [home, link]) {
    expect(namesToHold(folder)).toContain(".zshenv");
    expect(namesToHold(join(folder, ".config"))).toContain("fish");
    expect(protectedName(".cargo/env", folder)).toBe("~/.cargo");
    expect(protectedName("any/x.conf", join(folder, "settings"))).toBe("~/.config");
  }
});

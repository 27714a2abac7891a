import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linkBelow } from "../../src/git-files/link-below.ts";

const folder = () => mkdtempSync(join(tmpdir(), "lh-links-"));

test.each([
  ["rebase-merge", "../elsewhere", "rebase-merge"],
  ["refs", "refs", "refs"],
  ["index", "/etc/passwd", "index"],
])("the link %s to %s", (name, target, found) => {
  const place = folder();
  mkdirSync(join(place, "objects"));
  symlinkSync(target, join(place, name));
  expect(linkBelow(place)).toBe(found);
});

/** Patterns of paths as a person types them. */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placePattern } from "../../../src/permission/run-rules/place-pattern.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lh-pattern-")));
mkdirSync(join(folder, "real"));
symlinkSync(join(folder, "real"), join(folder, "link"));

test.each([
  ["src/**", "src/**"],
  ["**/*.ts", "**/*.ts"],
  ["~/notes/*", `${homedir()}/notes/*`],
  ["~", homedir()],
  ["~other/x", "~other/x"],
  ["/*", "/*"],
  ["/", "/"],
  [`${folder}/real/a.ts`, `${folder}/real/a.ts`],
  [`${folder}/link/a.ts`, `${folder}/real/a.ts`],
  [`${folder}/link/**`, `${folder}/real/**`],
  [`${folder}/link/absent/*.ts`, `${folder}/real/absent/*.ts`],
  [`${folder}/li*/a`, `${folder}/li*/a`],
])("%s becomes %s", (typed, placed) => {
  expect(placePattern(typed)).toBe(placed);
});

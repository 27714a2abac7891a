/** What a command leaves in a repository under an unknown name is renamed, however it closes the folder. */
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asOtherUser } from "../../../workspace/test/as-other-user.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { watchParts } from "../../src/sandbox/new-parts.ts";

const closedOf = (repository: string) => ["commondir", "hooks"].map((name) => join(repository, name));

test.each<[what: string, mode: number, closed: string]>([
  ["open", 0o755, "ws/.git"],
  ["read-only", 0o555, "ws/.git"],
  ["that cannot be listed", 0o300, "ws/.git"],
  ["without any access", 0, "ws/.git"],
  ["below one without access", 0, "ws"],
])("a repository %s", (_what, mode, closed) => {
  const folder = temporaryFolder();
  const repository = join(folder, "ws/.git");
  mkdirSync(repository, { recursive: true });
  asOtherUser([folder], () => {
    const watched = watchParts(closedOf(repository));
    writeFileSync(join(repository, "extra"), "x");
    chmodSync(join(folder, closed), mode);
    watched.done();
  });
  expect(readdirSync(repository)).toEqual(["extra.moved-1"]);
});

test("a repository that leads in a circle keeps nothing in the others", () => {
  const folder = temporaryFolder();
  const [inner, outer] = [join(folder, "a/sub/.git"), join(folder, "b/.git")];
  for (const path of [inner, outer]) mkdirSync(path, { recursive: true });
  const watched = watchParts([...closedOf(inner), ...closedOf(outer)]);
  writeFileSync(join(outer, "extra"), "x");
  rmSync(join(folder, "a/sub"), { recursive: true });
  symlinkSync("sub", join(folder, "a/sub"));
  expect(() => watched.done()).toThrow("ELOOP");
  expect(readdirSync(outer)).toEqual(["extra.moved-1"]);
});

test("nothing is renamed where a link has taken the place of the repository", () => {
  const folder = temporaryFolder();
  const [repository, elsewhere] = [join(folder, "ws/.git"), join(folder, "elsewhere")];
  for (const path of [repository, elsewhere]) mkdirSync(path, { recursive: true });
  const watched = watchParts(closedOf(repository));
  writeFileSync(join(elsewhere, "extra"), "x");
  rmSync(repository, { recursive: true });
  symlinkSync(elsewhere, repository);
  watched.done();
  expect(readdirSync(elsewhere)).toEqual(["extra"]);
});

/** Undo copies no content that may be a secret, by the whole path of its file. */
import { expect, test } from "vitest";
import { whySecret } from "../../src/changes/keep-limits.ts";

const byName = "files of that name usually hold secrets";

test.each<[path: string, root: string, content: string, why: string | undefined]>([
  [".env", "/home/me/project", "x", byName],
  ["a.ts", "/home/me/project", "x", undefined],
  ["a.ts", "/home/me/project", "the key is k3y-0123456789", "one of your keys is in it"],
  ["config", "/home/me/.aws", "x", byName],
  ["work/hosts.yml", "/home/me/.config/gh", "x", byName],
  ["key.pub", "/home/me/.ssh", "x", undefined],
])("%s in %s with %j: %s", (path, root, content, why) => {
  expect(whySecret(path, Buffer.from(content), ["k3y-0123456789"], root)).toBe(why);
});

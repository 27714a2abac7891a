/** Checks that keys.json is read only when no other user can read it. */
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { maskKey, readKeys } from "../../src/config/keys.ts";

async function folderWith(text: string, mode: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lh-keys-"));
  await writeFile(join(folder, "keys.json"), text);
  await chmod(join(folder, "keys.json"), mode);
  return folder;
}

describe("readKeys", () => {
  test("reads a private file; none is no keys", async () => {
    expect(await readKeys(await folderWith('{"xai": "secret-1"}', 0o600))).toEqual({ xai: "secret-1" });
    expect(await readKeys(undefined)).toEqual({});
    expect(await readKeys(tmpdir())).toEqual({});
  });

  const refused: [string, number, RegExp][] = [
    ['{"xai": "secret-1"}', 0o644, /can be read by other users \(mode 644\): run chmod 600/],
    ['{"xai": "with blank"}', 0o600, /the key of "xai" must be text without blanks/],
    ['{"xai": 7}', 0o600, /the key of "xai"/],
    ["[]", 0o600, /expected an object of provider and key/],
    ["{", 0o600, /keys\.json:1:2:/],
  ];
  test.each(refused)("refuses %s in mode %o", async (text, mode, message) => {
    const refusal = readKeys(await folderWith(text, mode));
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow(/secret-1/);
  });

  test("a key is shown by its end at most", () => {
    expect([maskKey("short"), maskKey("xai-0123456789abcd")]).toEqual(["****", "****abcd"]);
  });
});

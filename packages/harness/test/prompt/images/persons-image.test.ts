/** Checks that image files are found by paths as terminals paste them, and recognized by their bytes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { maxImageBytes, readImageFile } from "../../../src/prompt/images/persons-image.ts";

const folder = mkdtempSync(join(tmpdir(), "lh-image-"));
const workspace = join(folder, "ws");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const gif = Buffer.from("R0lGODlhAQABAAAAACw=", "base64");
mkdirSync(workspace);
writeFileSync(join(workspace, "dot.txt"), gif);
writeFileSync(join(folder, "My Pic (1).gif"), gif);
writeFileSync(join(folder, "fake.png"), "no image at all");
writeFileSync(join(folder, "huge.png"), gif);
truncateSync(join(folder, "huge.png"), maxImageBytes + 1);

writeFileSync(join(folder, "Shot 8.15\u202fPM.gif"), gif);

const outside = join(folder, "My Pic (1).gif");

test.each([
  ["a path in the workspace, whatever its ending", "dot.txt", "dot.txt"],
  ["an absolute path outside of it", outside, "My Pic (1).gif"],
  ["one with blanks escaped", outside.replace(/[ ()]/g, "\\$&"), "My Pic (1).gif"],
  ["one in quotes", `'${outside}'`, "My Pic (1).gif"],
  ["one with another blank", "../Shot 8.15 PM.gif", "Shot 8.15\u202fPM.gif"],
  ["a URL", pathToFileURL(outside).href, "My Pic (1).gif"],
])("%s", async (_what, typed, name) => {
  const data = gif.toString("base64");
  expect(await readImageFile(typed, workspace)).toEqual({
    kind: "image",
    image: { mediaType: "image/gif", data, name },
  });
});

test.each([
  ["another content than its name says", "../fake.png", /is not an image/],
  ["too large", "../huge.png", /has 10\.0 MB, the limit is 10\.0 MB/],
  ["a folder", "../ws", /not a regular file/],
])("%s is refused", async (_what, typed, said) => {
  expect(await readImageFile(typed, workspace)).toEqual({
    kind: "refused",
    message: expect.stringMatching(said),
  });
});

test.each(["../gone.png", "", "a\0.png", "file://other-host/%zz.png", "x".repeat(5_000)])(
  "%j is not there",
  async (typed) => {
    expect((await readImageFile(typed, workspace)).kind).toBe("absent");
  },
);

test.skipIf(process.platform === "win32")(
  "a pipe with nobody at its other end holds nothing up",
  async () => {
    execFileSync("mkfifo", [join(folder, "pipe.png")]);
    expect(await readImageFile("../pipe.png", workspace)).toMatchObject({ kind: "refused" });
  },
);

import { execFileSync } from "node:child_process";
import { constants, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createOutputCapture } from "../../src/children/capture-output.ts";
import { createOutputFolder } from "../../src/children/create-output-folder.ts";

function capture(limit: number, chunks: readonly (string | Buffer)[], keepsNul = false) {
  const folder = createOutputFolder(temporaryFolder());
  const output = createOutputCapture(limit, folder, { keepsNul });
  for (const chunk of chunks) {
    output.push(Buffer.from(chunk));
  }
  return { ...output.finish(), last: output.lastLine() };
}

describe("captured output", () => {
  test("is whole when it fits, however it was cut", () => {
    const bytes = Buffer.from("aé日🎉b\n");
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(capture(100, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual({
        text: "aé日🎉b\n",
        totalBytes: bytes.length,
        path: undefined,
        pathIncomplete: false,
        last: "aé日🎉b",
      });
    }
  });

  test("keeps beginning and end of a long one, and all of it in a file for its owner only", () => {
    const chunks = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
    const { text, path = "", totalBytes } = capture(42, chunks);
    expect(text).toBe(
      `line 0\nline 1\nline 2\n[... ${totalBytes - 37} bytes left out ...]\nline 98\nline 99\n`,
    );
    expect(readFileSync(path, "utf8")).toBe(chunks.join(""));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("never shows half a character at the cut", () => {
    for (let limit = 20; limit < 32; limit += 1) {
      expect(capture(limit, ["é日🎉".repeat(50)]).text).not.toContain("\ufffd");
    }
  });

  test.each([
    ["colours", "\u001b[1;31mred\u001b[0m\n", "red\n"],
    ["titles and links", "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b", "ab"],
    ["lines that were overwritten", "10%\r50%\r100%\ndone\r\n", "100%\ndone\n"],
    ["binary", Buffer.from([65, 0, 66]), "[binary output, 3 bytes not shown]"],
  ])("shows no %s", (_, raw, text) => {
    expect(capture(1000, [raw]).text).toBe(text);
  });

  test("frees the memory of a chunk unless it is shared", () => {
    const output = createOutputCapture(20, createOutputFolder(temporaryFolder()));
    const own = new ArrayBuffer(8);
    const shared = Buffer.from(new ArrayBuffer(8)).fill("b");
    output.push(Buffer.from(own).fill("a"));
    output.push(shared.subarray(0, 4));
    expect([own.detached, own.byteLength, shared.buffer.byteLength]).toEqual([true, 0, 8]);
    expect(output.finish().text).toBe("aaaaaaaabbbb");
  });

  test("keeps NUL where it separates", () => {
    expect(capture(100, [Buffer.from("a\0b")], true).text).toBe("a\0b");
  });

  test("says so when the whole cannot be kept", () => {
    const output = createOutputCapture(10, createOutputFolder("/dev/null/nowhere"));
    output.push(Buffer.from("x".repeat(100)));
    expect(output.finish()).toMatchObject({ totalBytes: 100, path: undefined, pathIncomplete: true });
  });

  test.runIf(process.platform === "linux")(
    "says so when the system takes only a part of the last chunk",
    () => {
      const path = join(temporaryFolder(), "pipe");
      execFileSync("mkfifo", [path]);
      const open = () => openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
      const output = createOutputCapture(10, { create: () => ({ path, descriptor: open() }) });
      output.push(Buffer.from("x".repeat(100_000)));
      expect(output.finish()).toMatchObject({ totalBytes: 100_000, path, pathIncomplete: true });
    },
  );
});

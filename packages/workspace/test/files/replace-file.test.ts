import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileChangedError, replaceFile } from "../../src/files/replace-file.ts";
import { createWriteJournal } from "../../src/files/write-journal.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function place() {
  const folder = temporaryFolder();
  const journal = createWriteJournal(join(folder, "state"));
  return { folder, journal, path: join(folder, "work", "f.txt"), bytes: Buffer.from("new\n") };
}

describe("replaceFile", () => {
  test("makes a file, its folder, and nothing else", async () => {
    const { path, journal, bytes, folder } = place();
    await replaceFile(path, bytes, { journal, mode: 0o600, durable: true });
    expect(readFileSync(path, "utf8")).toBe("new\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "work"))).toEqual(["f.txt"]);
  });

  test("keeps the mode, follows a link, and leaves a second name of the old file alone", async () => {
    const { path, journal, bytes, folder } = place();
    await replaceFile(path, Buffer.from("old\n"), { journal });
    chmodSync(path, 0o754);
    linkSync(path, join(folder, "second"));
    symlinkSync(path, join(folder, "link"));
    await replaceFile(join(folder, "link"), bytes, { journal, mode: 0o600 });
    expect(readFileSync(path, "utf8")).toBe("new\n");
    expect(statSync(path).mode & 0o777).toBe(0o754);
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "second"), "utf8")).toBe("old\n");
  });

  test("does not replace a file that has been exchanged since it was read", async () => {
    const { path, journal, bytes } = place();
    await replaceFile(path, Buffer.from("old\n"), { journal });
    const expected = statSync(path);
    writeFileSync(path, "someone else's\n");
    await expect(replaceFile(path, bytes, { journal, expected })).rejects.toBeInstanceOf(FileChangedError);
    expect(readFileSync(path, "utf8")).toBe("someone else's\n");
    expect(readdirSync(join(path, ".."))).toEqual(["f.txt"]);
  });

  test("leaves the old file and no temporary one when a folder is in the way", async () => {
    const { path, journal, bytes } = place();
    mkdirSync(path, { recursive: true });
    await expect(replaceFile(path, bytes, { journal })).rejects.toMatchObject({ code: "EISDIR" });
    expect(readdirSync(join(path, ".."))).toEqual(["f.txt"]);
  });

  test.runIf(process.platform === "linux")(
    "leaves the old file when there is no room for the new one",
    async () => {
      const folder = temporaryFolder();
      const source = (name: string) => JSON.stringify(join(import.meta.dirname, "../../src/files", name));
      const script = `
      const { replaceFile } = await import(${source("replace-file.ts")});
      const { createWriteJournal } = await import(${source("write-journal.ts")});
      const journal = createWriteJournal("state");
      await replaceFile("f", Buffer.alloc(4_000_000, 65), { journal }).catch((error) => console.log(error.code));`;
      writeFileSync(join(folder, "f"), "old\n");
      // A limit on the file size makes a write fail halfway, like a full disk.
      const limited = `ulimit -f 1024; trap '' XFSZ; exec "$0" --input-type=module -e "$1"`;
      const said = execFileSync("bash", ["-c", limited, process.execPath, script], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(said.trim()).toBe("EFBIG");
      expect(readFileSync(join(folder, "f"), "utf8")).toBe("old\n");
      expect(readdirSync(folder).sort()).toEqual(["f", "state"]);
    },
  );
});

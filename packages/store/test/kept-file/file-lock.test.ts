/** Checks the lock between processes: waiting, renewal, abandoned locks. */
import { spawnSync } from "node:child_process";
import { lutimes, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { installDiskFaults } from "../../../../test/faults/disk-faults.ts";
import { withFileLock } from "../../src/kept-file/file-lock.ts";
import { ownHolder } from "../../src/kept-file/lock-holder.ts";

async function lockPath(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), "lh-lock-")), "x.lock");
}

/** Returns the text of a lock of a process that has ended. */
function markOfEnded(): string {
  const { pid } = spawnSync("true");
  return JSON.stringify({ pid, host: hostname(), token: crypto.randomUUID() });
}

/** Returns the claim files of the processes that wait for the lock. */
async function claimsOf(path: string): Promise<readonly string[]> {
  const names = (await readdir(dirname(path))).filter((name) => /\.\d+-\w{8}$/.test(name));
  return names.map((name) => join(dirname(path), name));
}

describe("withFileLock", () => {
  test("lets one in at a time and leaves nothing behind", async () => {
    const path = await lockPath();
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setTimeout(resolve, 3));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 12 }, () => withFileLock(path, work)));
    expect(most).toBe(1);
    expect(await readdir(join(path, ".."))).toEqual([]);
  });

  test("is released when the work fails", async () => {
    const path = await lockPath();
    await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await withFileLock(path, (stillHeld) => stillHeld())).toBe(true);
  });

  test("gives up on a living holder after the wait and names it", async () => {
    const path = await lockPath();
    const times = { waitMs: 60, staleMs: 60_000 };
    const waiting = withFileLock(path, () => withFileLock(path, () => Promise.resolve(), times), times);
    await expect(waiting).rejects.toThrow(`is held by process ${process.pid} on ${hostname()}. Remove it`);
  });

  test("waits for a lock that changes hands, however many had it before", async () => {
    const path = await lockPath();
    const elsewhere = (token: string) =>
      writeFile(path, JSON.stringify({ pid: 1, host: "elsewhere", token }));
    await elsewhere("0");
    const times = { waitMs: 1_000, staleMs: 60_000 };
    let gaveUp = false;
    const waiting = withFileLock(path, async () => "mine", times).catch((error: unknown) => {
      gaveUp = true;
      throw error;
    });
    const [claim = ""] = await vi.waitFor(async () => {
      const claims = await claimsOf(path);
      expect(claims).toHaveLength(1);
      return claims;
    }, 60_000);
    // Each attempt renews the claim. Twenty holders with five attempts each take longer than the wait for one.
    for (let holder = 1; holder <= 20; holder += 1) {
      await elsewhere(String(holder));
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await utimes(claim, new Date(0), new Date(0));
        const tried = async () => expect((await stat(claim)).mtimeMs).toBeGreaterThan(0);
        await vi.waitFor(tried, { timeout: 60_000, interval: 1 });
      }
    }
    expect(gaveUp).toBe(false);
    await rm(path);
    expect(await waiting).toBe("mine");
  });

  test("breaks a lock of another host when it is old", async () => {
    const path = await lockPath();
    await writeFile(path, JSON.stringify({ pid: 1, host: "elsewhere", token: "x" }));
    await expect(withFileLock(path, async () => 1, { waitMs: 40, staleMs: 60_000 })).rejects.toThrow(
      /held by/,
    );
    await utimes(path, new Date(0), new Date(0));
    expect(await withFileLock(path, async () => 2)).toBe(2);
  });

  test.runIf(process.platform === "linux")("breaks a lock whose process id is another's by now", async () => {
    const path = await lockPath();
    const ofParent = { ...ownHolder(), pid: process.ppid, token: "x" };
    const times = { waitMs: 40, staleMs: 60_000 };
    await writeFile(path, JSON.stringify({ ...ofParent, started: undefined }));
    await expect(withFileLock(path, async () => 1, times)).rejects.toThrow(/held by/);
    await writeFile(path, JSON.stringify({ ...ofParent, started: "1" }));
    expect(await withFileLock(path, async () => 2, times)).toBe(2);
  });

  test("is not broken while another process breaks it, which could move the next one", async () => {
    const path = await lockPath();
    const times = { waitMs: 40, staleMs: 60_000 };
    await writeFile(path, markOfEnded());
    const other = JSON.stringify({ pid: process.ppid, host: hostname(), token: "x" });
    await writeFile(`${path}.breaking`, other);
    await expect(withFileLock(path, async () => 1, times)).rejects.toThrow(/held by/);
    expect(await readdir(dirname(path))).toEqual(["x.lock", "x.lock.breaking"]);
    await rm(`${path}.breaking`);
    expect(await withFileLock(path, async () => 2, times)).toBe(2);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test.each([0, 1, 2])("is broken after %i processes that ended while they broke it", async (ended) => {
    const path = await lockPath();
    for (let at = 0; at <= ended; at += 1) await writeFile(path + ".breaking".repeat(at), markOfEnded());
    expect(await withFileLock(path, async () => 1, { waitMs: 40, staleMs: 60_000 })).toBe(1);
    expect(await readdir(dirname(path))).toEqual([]);
  });

  test("removes what killed processes left beside it, and nothing else", async () => {
    const path = await lockPath();
    await writeFile(`${path}.breaking`, markOfEnded());
    for (const name of ["123-0123abcd", "124-0123abcd.stale", "125-fedcba98", "backup"]) {
      await writeFile(`${path}.${name}`, "");
      if (!name.startsWith("125")) await utimes(`${path}.${name}`, new Date(0), new Date(0));
    }
    await withFileLock(path, async () => 0);
    expect((await readdir(join(path, ".."))).toSorted()).toEqual(["x.lock.125-fedcba98", "x.lock.backup"]);
  });

  test("its holder learns that it was taken away, and does not take away the next one", async () => {
    const path = await lockPath();
    const held = await withFileLock(path, async (stillHeld) => {
      await writeFile(path, "another");
      return stillHeld();
    });
    expect(held).toBe(false);
    expect(await readdir(join(path, ".."))).toEqual(["x.lock"]);
  });

  test("is renewed while its holder works, and new for one who waited long", async () => {
    const path = await lockPath();
    const times = { waitMs: 60_000, staleMs: 9_000 };
    const ageOf = async () => Date.now() - (await stat(path)).mtimeMs;
    let waiting: Promise<number> | undefined;
    const held = await withFileLock(
      path,
      async (stillHeld) => {
        const began = (await stat(path)).mtimeMs;
        waiting = withFileLock(path, ageOf, times);
        await vi.waitFor(async () => expect(await claimsOf(path)).toHaveLength(1), 60_000);
        for (const claim of await claimsOf(path)) await utimes(claim, new Date(0), new Date(0));
        const renewed = async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(began);
        await vi.waitFor(renewed, 60_000);
        return stillHeld();
      },
      times,
    );
    expect(held).toBe(true);
    expect(await waiting).toBeLessThan(times.staleMs);
  });

  test("is given also to one whose claim was swept while it waited", async () => {
    const path = await lockPath();
    const { waiting } = await withFileLock(path, async () => {
      const second = withFileLock(path, async () => "mine");
      await vi.waitFor(async () => expect(await claimsOf(path)).toHaveLength(1), 60_000);
      for (const claim of await claimsOf(path)) await rm(claim);
      return { waiting: second };
    });
    expect(await waiting).toBe("mine");
  });

  test("that cannot be read is waited for in peace, and broken when it is old", async () => {
    const path = await lockPath();
    await symlink("nowhere", path);
    const disk = await installDiskFaults(dirname(path));
    try {
      const { operations } = await disk.during(undefined, () =>
        expect(withFileLock(path, async () => 1, { waitMs: 100, staleMs: 60_000 })).rejects.toThrow(
          /held by/,
        ),
      );
      expect(operations.length).toBeLessThan(200);
    } finally {
      disk.restore();
    }
    await lutimes(path, new Date(0), new Date(0));
    expect(await withFileLock(path, async () => 2)).toBe(2);
    expect(await readdir(dirname(path))).toEqual([]);
  });
});

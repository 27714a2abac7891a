/** A folder on a disk that fails on demand, for the tests of one file. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type DiskFaults, installDiskFaults } from "./disk-faults.ts";

/**
 * `memory`: faster, where the system has a place for that. It lies in `/dev`, so that no workspace can be in it: tools
 * take what is there for devices.
 */
export async function openFailingDisk(
  on: "disk" | "memory",
): Promise<{ readonly folder: string; readonly disk: DiskFaults }> {
  const base = on === "memory" && existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(base, "localharness-faults-")));
  const disk = await installDiskFaults(folder);
  afterAll(() => {
    disk.restore();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, disk };
}

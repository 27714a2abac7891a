/** Opens a folder on a simulated failing disk for the tests of one file. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type DiskFaults, installDiskFaults } from "./disk-faults.ts";

/**
 * Makes the folder and installs the faults; both are removed after the tests of the file. `memory` is faster where the
 * system has `/dev/shm`, but cannot be a workspace, because tools treat files below `/dev` as devices.
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

/**
 * A program for tests: holds and releases placeholders many times. Prints LOST if one is removed or replaced while it is held.
 * Arguments: folder, state folder, number of times.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createStandIns } from "../../src/sandbox/stand-ins.ts";

const [folder = "", stateFolder = "", times = "0"] = process.argv.slice(2);
const paths = [".npmrc", ".envrc", "commondir"].map((name) => join(folder, name));
const standIns = createStandIns(stateFolder, "");
const inodes = () =>
  paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.ino ?? "absent").join(" ");
process.stdout.write("ready\n");
for (let time = 0; time < Number(times); time += 1) {
  const held = await standIns.hold(paths);
  const before = inodes();
  for (let turns = Math.random() * 4; turns > 0; turns -= 1) await turn();
  const after = inodes();
  if (before.includes("absent") || after !== before) process.stdout.write(`LOST ${before} then ${after}\n`);
  held.release();
  if (Math.random() < 0.5) await turn();
}
process.stdout.write(`end ${readdirSync(folder).length}\n`);
standIns.close();

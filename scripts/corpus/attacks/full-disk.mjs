/** Simulates a full disk for session files. It is loaded into the program before the program starts. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const sessionFiles = new Set();
const { openSync, writeSync } = fs;

fs.openSync = (path, ...more) => {
  const file = openSync(path, ...more);
  if (String(path).includes("/localharness/sessions/")) sessionFiles.add(file);
  else sessionFiles.delete(file);
  return file;
};
fs.writeSync = (file, ...more) => {
  if (!sessionFiles.has(file)) return writeSync(file, ...more);
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
};
syncBuiltinESMExports();

/**
 * Measures the growth of memory from the first SIGUSR2 to its peak before the exit, and the longest pause of the event loop
 * between the first and the second SIGUSR2. Writes a report at exit, which also says whether the prototype of all objects
 * has new properties. It is loaded into the program before the program starts.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const report = new URL(import.meta.url).searchParams.get("report") ?? "";
const delay = monitorEventLoopDelay({ resolution: 10 });
let base = 0;
let lagMs;

function kilobytes(name) {
  const line = readFileSync("/proc/self/status", "utf8").match(new RegExp(`^${name}:\\s+(\\d+)`, "m"));
  return Number(line?.[1] ?? 0);
}

process.on("SIGUSR2", () => {
  if (base === 0) {
    writeFileSync("/proc/self/clear_refs", "5");
    base = kilobytes("VmRSS");
    delay.enable();
    writeFileSync(report, "{}");
    return;
  }
  lagMs = delay.max / 1e6;
  delay.disable();
});

process.on("exit", () => {
  const grownMb = base === 0 ? undefined : (kilobytes("VmHWM") - base) / 1024;
  writeFileSync(
    report,
    JSON.stringify({ grownMb, lagMs, polluted: Object.keys(Object.prototype).length > 0 }),
  );
});

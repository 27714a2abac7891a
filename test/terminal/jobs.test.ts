/** Checks commands in the background in the real program: Ctrl+C leaves them, /jobs ends them, leaving ends them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, isAttached, openTerminal } from "./open-terminal.ts";

const server = await serveModel();
const args = ["--sandbox", "off", "--answer", "once"];

const begin = (name: string, then: string) => ({
  name: "bash",
  arguments: { command: `echo $$ > ${name}; echo listening; ${then}`, background: true },
});

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function pidOf(terminal: Emulated, name: string): Promise<number> {
  const path = join(terminal.place.workspace, name);
  const text = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
  await terminal.until(name, () => text().endsWith("\n"));
  return Number(text());
}

/** Waits until the program knows that the first job has ended, which is a moment after its process has. */
async function isListedAsEnded(terminal: Emulated): Promise<void> {
  for (let isEnded = false; !isEnded; ) {
    terminal.type("/jobs\r");
    await terminal.waitFor(/job-1 {2}/);
    isEnded = /job-1 {2}exit code: /.test(terminal.screen());
    terminal.press("esc");
    await terminal.until("the list is closed", () => !/job-1 {2}/.test(terminal.screen()));
  }
}

describe.skipIf(!hasScript())("a command in the background (needs util-linux script)", () => {
  test("goes on after Ctrl+C; /jobs lists it and Enter twice ends it", async () => {
    server.use({ turns: [{ calls: [begin("one", "exec sleep 600")] }, { delayMs: 10_000, text: "late" }] });
    const terminal = await openTerminal({ server, args, cols: 110 });
    terminal.type("go\r");
    const pid = await pidOf(terminal, "one");
    await terminal.waitFor("reading the prompt");
    terminal.press("ctrl+c");
    await terminal.waitFor("! interrupted");
    terminal.type("/jobs\r");
    await terminal.waitFor(/job-1 {2}running, .*listening/);
    expect(lives(pid)).toBe(true);
    await terminal.pressTwice("enter", "job-1 has ended");
    expect(terminal.screen()).toContain("job-1  ended by the person");
    await terminal.until("the end", () => !lives(pid));
    terminal.close();
  });

  test("is told of in the next request when it has ended, and does not outlive the program", async () => {
    server.use({
      turns: [
        { calls: [begin("one", "read -r line < go"), begin("two", "exec sleep 600")] },
        { text: "Both run." },
        { text: "I see." },
      ],
    });
    const terminal = await openTerminal({ server, args });
    terminal.type("go\r");
    const pids = [await pidOf(terminal, "one"), await pidOf(terminal, "two")];
    await terminal.waitFor("Both run.");
    await terminal.until("the end", () => !lives(pids[0] ?? 0));
    await terminal.waitFor("job-1 has ended (exit code: 1)");
    await terminal.waitFor(/· 1 job ·/);
    await isListedAsEnded(terminal);
    terminal.type("and now?\r");
    await terminal.waitFor("I see.");
    const told = server.chats.map(({ body }) =>
      JSON.stringify(body?.["messages"]).match(/background job job-1 \(/g),
    );
    expect(told.at(-1)).toHaveLength(1);
    expect(lives(pids[1] ?? 0)).toBe(true);
    terminal.press("ctrl+d");
    expect(await terminal.ended()).toBe(0);
    // A server keeps the jobs of a session when the screen has left.
    if (isAttached) expect(lives(pids[1] ?? 0)).toBe(true);
    else await terminal.until("the end", () => !lives(pids[1] ?? 0));
    terminal.close();
  });
});

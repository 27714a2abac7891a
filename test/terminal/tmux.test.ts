/** Checks that a change of the window's size leaves each line of the answer once in tmux, which keeps what is cleared. */
import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { cachedCode, makePlace, program } from "../run-program.ts";
import { argumentsFor, serveModel } from "../serve-model.ts";

const server = await serveModel();
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

interface InTmux {
  type(text: string): void;
  /** Changes the size of the window, and resolves when the program has drawn a line in the new width. */
  resize(columns: number, rows: number): Promise<void>;
  /** Resolves with the scrollback and the screen when they match. */
  shows(text: RegExp): Promise<string>;
}

let windows = 0;

function openTmux(columns: number, rows: number): InTmux {
  windows += 1;
  const name = `localharness-test-${process.pid}-${windows}`;
  const tmux = (...args: string[]) => execFileSync("tmux", ["-L", name, ...args], { encoding: "utf8" });
  onTestFinished(() => void spawnSync("tmux", ["-L", name, "kill-server"]));
  const place = makePlace();
  const { XDG_CACHE_HOME: cache } = cachedCode();
  const variables = [`HOME=${place.home}`, `XDG_CACHE_HOME=${cache}`].flatMap((one) => ["-e", one]);
  const words = [process.execPath, program(), ...argumentsFor(server)];
  const size = ["-x", String(columns), "-y", String(rows)];
  tmux(
    "-f",
    "/dev/null",
    "new-session",
    "-d",
    "-s",
    "s",
    "-c",
    place.workspace,
    ...size,
    ...variables,
    ...words,
  );
  const all = () => tmux("capture-pane", "-p", "-S", "-5000", "-t", "s");
  const shows = async (text: RegExp) => {
    await expect.poll(all).toMatch(text);
    return all();
  };
  return {
    type: (text) => void tmux("send-keys", "-t", "s", "-l", text),
    async resize(width, height) {
      tmux("resize-window", "-t", "s", "-x", String(width), "-y", String(height));
      await shows(new RegExp(`(?<!─)─{${width}}\\n(?!─)`));
    },
    shows,
  };
}

const sizes = [
  [70, 30],
  [100, 18],
  [64, 36],
  [110, 24],
] as const;

describe.skipIf(!hasTmux)("in tmux (needs tmux)", () => {
  test("a resize leaves each line of the answer once", async () => {
    const lines = Array.from({ length: 60 }, (_, line) => `Cup ${line} of お茶.`);
    server.use({ turns: [{ text: lines.join("\n\n") }] });
    const window = openTmux(100, 30);
    await window.shows(/─{100}/);
    window.type("tell me\r");
    await window.shows(/Cup 59 of[\s\S]*─\n/);
    for (const [columns, rows] of sizes) await window.resize(columns, rows);
    window.type("still here");
    const all = await window.shows(/─\nstill here/);
    expect(all.match(/Cup \d+ of お茶\./g)).toEqual(lines);
    expect(all.match(/─{20}/g)?.length).toBeGreaterThan(1);
    expect(all.match(/› tell me/g)).toHaveLength(1);
  });

  test("also at a question", async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `Leaf ${line} of them.`);
    const write = { name: "write_file", arguments: { path: "tea.txt", content: "green\n" } };
    server.use({ turns: [{ text: lines.join("\n\n"), calls: [write] }] });
    const window = openTmux(100, 30);
    await window.shows(/─{100}/);
    window.type("write it\r");
    await window.shows(/\[1\] Allow Once/);
    for (const [columns, rows] of sizes) await window.resize(columns, rows);
    const all = await window.shows(/\[1\] Allow Once/);
    expect(all.match(/Leaf \d+ of them\./g)).toEqual(lines);
    expect(all.match(/Permission Request/g)).toHaveLength(1);
  });
});

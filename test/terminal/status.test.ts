/** Checks `/status` in a real terminal. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { configure, makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("/status (needs util-linux script)", () => {
  test("/status: model, server, rules, session and the files that were read, on one screen", async () => {
    const place = makePlace({ "AGENTS.md": "Write tests.\n" });
    configure(
      place,
      "config.json",
      JSON.stringify({
        limits: { iterations_per_turn: 7 },
        profiles: { "fake-model": { edits: "lines", nudges: 2 } },
      }),
    );
    server.use({ turns: [{ text: "Hello." }] });
    const args = ["--mode", "plan", "--sandbox", "off"];
    const terminal = await openTerminal({ server, place, args, cols: 150, rows: 40 });
    terminal.type("hi\r");
    await terminal.waitFor("Hello.");
    terminal.type("/rename tea time\r");
    await terminal.waitFor("this session is called tea time");
    terminal.type("/status\r");
    const screen = await terminal.waitFor(/instructions +AGENTS\.md/);
    const row = (name: string, value: string) =>
      expect(screen).toMatch(new RegExp(`^. ${name} +.*${value}`, "m"));
    row("version", "localharness \\d");
    row("model", "fake-model of custom");
    row("profile", "your setting: edits by line, asked to go on 2 times");
    row("server", `${server.baseUrl.replace(/\/$/, "")}, on this machine`);
    row("mode", "plan");
    row("sandbox", "no sandbox: a command can do all that you can do");
    row("workspace", place.workspace);
    row("trust", "trusted");
    row("session", "tea time, .*, saved in ");
    row("limits", "iterations_per_turn 7, [\\s\\S]*calls_per_minute 120");
    row("settings", "config\\.json");
    row("overridden by", "--mode \\(mode\\)");
    expect(screen).toMatch(/ no sandbox(?: ·|$)/m);
    terminal.close();
  });

  test("/status in a narrow window: a long value continues below the value", async () => {
    server.use({ turns: [] });
    const terminal = await openTerminal({ server, cols: 60, rows: 60 });
    terminal.type("/status\r");
    const screen = await terminal.waitFor(/^. instructions +none/m);
    const lines = screen.split("\n");
    const first = lines.findIndex((line) => line.startsWith("  limits"));
    const end = lines.findIndex((line) => line.startsWith("  settings"));
    const column = lines[first]?.search(/(?<=limits +)\S/) ?? -1;
    const more = lines.slice(first + 1, end);
    expect(column).toBeGreaterThan(10);
    expect(more.length).toBeGreaterThan(2);
    expect(more.map((line) => line.search(/\S/))).toEqual(more.map(() => column));
    terminal.close();
  });
});

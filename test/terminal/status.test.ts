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
    configure(place, "config.json", JSON.stringify({ limits: { iterations_per_turn: 7 } }));
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
    row("server", `${server.baseUrl.replace(/\/$/, "")}, on this machine`);
    row("mode", "plan");
    row("sandbox", "no sandbox: a command can do all that you can do");
    row("workspace", place.workspace);
    row("trust", "trusted");
    row("session", "tea time, .*, saved in ");
    row("limits", "iterations_per_turn 7, calls_per_minute 120");
    row("settings", "config\\.json");
    row("overridden by", "--mode \\(mode\\)");
    expect(screen).toMatch(/ no sandbox(?: ·|$)/m);
    terminal.close();
  });
});

/** Checks what the screen shows of finished calls that nobody was asked about. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("finished calls on the screen (needs util-linux script)", () => {
  test("an edit shows its diff and a command its last lines, in a resumed session too", async () => {
    const place = makePlace({ "tea.txt": "one\ngreen\nthree\n" });
    const edit = { path: "tea.txt", old_string: "green", new_string: "black" };
    const command = { command: "seq 8; exit 3" };
    server.use({
      turns: [
        { calls: [{ name: "edit_file", arguments: edit }] },
        { calls: [{ name: "bash", arguments: command }] },
        { text: "Poured." },
      ],
    });
    const args = ["--mode", "accept-edits", "--allow", "bash"];
    const terminal = await openTerminal({ server, place, args, rows: 40 });
    terminal.type("go\r");
    const screen = await terminal.waitFor("Poured.");
    expect(screen).not.toContain("Permission Request");
    expect(screen).toMatch(/✓ edit_file tea\.txt .* · \+1 -1 · /);
    expect(screen).toMatch(/ {4}-green\n {4}\+black\n/);
    expect(screen).toMatch(/✗ bash seq 8; exit 3 .*exit code: 3[\s\S]*\n {4}7\n {4}8\n/);
    terminal.press("ctrl+d");
    await terminal.ended();
    const again = await openTerminal({ server, place, args: ["--continue"], rows: 40 });
    expect(await again.waitFor("Poured.")).toMatch(/ {4}-green\n {4}\+black\n/);
    again.close();
  });

  test("a wide window has old lines beside new ones, in a question and after it", async () => {
    const place = makePlace({ "tea.txt": "one\n緑茶 green\nthree\n" });
    const edit = { path: "tea.txt", old_string: "緑茶 green", new_string: "紅茶 black" };
    server.use({ turns: [{ calls: [{ name: "edit_file", arguments: edit }] }, { text: "Poured." }] });
    const terminal = await openTerminal({ server, place, cols: 150, rows: 40 });
    const beside = /-緑茶 green +│ \+紅茶 black$/m;
    terminal.type("go\r");
    await terminal.waitFor("[1] Allow Once");
    expect(terminal.screen()).toMatch(beside);
    terminal.press("1");
    expect(await terminal.waitFor("Poured.")).toMatch(beside);
    await terminal.resize(100, 40);
    await terminal.waitFor(/^ *-緑茶 green\n *\+紅茶 black$/m);
    terminal.close();
  });
});

describe.skipIf(!hasScript())("/diff (needs util-linux script)", () => {
  test("shows every file that the session changed, with its diff", async () => {
    const place = makePlace({ "tea.txt": "one\ngreen\nthree\n", "old.txt": "old\n" });
    const calls = [
      { name: "write_file", arguments: { path: "tea.txt", content: "one\nblack\nthree\n" } },
      { name: "write_file", arguments: { path: "new\u202e.txt", content: "\u001b[2Jnew\n" } },
      { name: "remove", arguments: { path: "old.txt" } },
    ];
    server.use({ turns: [{ calls }, { text: "Poured." }] });
    const terminal = await openTerminal({ server, place, args: ["--mode", "bypass"], rows: 40 });
    terminal.type("/diff\r");
    await terminal.waitFor("no tool has changed files in this session");
    terminal.type("go\r");
    await terminal.waitFor("Poured.");
    terminal.type("/diff\r");
    const screen = await terminal.waitFor("Changes of this session");
    expect(screen).toContain("3 paths +2 -2");
    expect(screen).toMatch(/created new\\u202e\.txt \+1 -0/);
    expect(screen).toMatch(/changed tea\.txt \+1 -1/);
    expect(screen).toMatch(/removed old\.txt \+0 -1/);
    expect(screen).toMatch(/-green\n\+black/);
    expect(screen).toContain("+\\x1b[2Jnew");
    terminal.type("/GREEN\r");
    await terminal.waitFor("n N next");
    terminal.press("esc");
    await terminal.waitFor("Poured.");
    terminal.close();
  });
});

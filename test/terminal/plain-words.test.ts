/** Checks that the screen tells in plain words what happened, in low windows too. */
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, run } from "../run-program.ts";
import { argumentsFor, serveModel } from "../serve-model.ts";
import { openTerminal } from "./open-terminal.ts";

const server = await serveModel();

describe.skipIf(!hasScript())("plain words (needs util-linux script)", () => {
  test.each([
    [30, 10],
    [30, 6],
    [20, 4],
  ])("the list of commands leaves the typed line visible in a window of %i x %i", async (cols, rows) => {
    server.use({ turns: [] });
    const terminal = await openTerminal({ server, cols, rows });
    terminal.type("/");
    await terminal.waitFor(/^\/ *$/m);
    await terminal.settled();
    expect(terminal.screen()).toMatch(/^\/ *$/m);
    if (rows >= 6) expect(terminal.screen()).toMatch(/\/[a-z]+/);
    if (rows >= 10) expect(terminal.screen()).toMatch(/\/help[\s\S]*\/init/);
    expect(terminal.screen()).not.toMatch(/\/\?/);
    terminal.type("mo");
    await terminal.waitFor(/^\/mo *$/m);
    expect(await terminal.settled()).toMatch(/^\/mo *$/m);
    terminal.close();
  });

  test("a note to the model is one line that says so; Ctrl+O shows all of it", async () => {
    server.use({ turns: [{ text: "First." }] });
    const terminal = await openTerminal({ server, args: ["--mode", "plan"] });
    terminal.type("one\r");
    await terminal.waitFor("First.");
    expect(terminal.screen()).toMatch(/^· note to the model: Mode plan is on: .*…$/m);
    expect(terminal.screen()).not.toContain("»");
    terminal.press("ctrl+o");
    await terminal.waitFor("a all");
    terminal.press("a", "pageup");
    await terminal.waitFor("the person approves your plan");
    terminal.close();
  });

  test("after a failure that ends the turn, ↑ brings the message back, and the screen says it", async () => {
    const refused = { kind: "status", status: 400, body: { error: "no such thing" } } as const;
    server.use({ turns: [{ text: "Now it works.", faults: [refused] }] });
    const terminal = await openTerminal({ server });
    terminal.type("please paint the fence\r");
    await terminal.waitFor("↑ brings your message back");
    terminal.press("up");
    await terminal.waitFor(/─\nplease paint the fence/);
    terminal.press("enter");
    await terminal.waitFor("Now it works.");
    terminal.close();
  });

  test("a thought that the prompt opened is told apart once its end comes, and at once in the next answer", async () => {
    const thinking = { text: "I should greet.\n</think>\n\nHello there." };
    server.use({ turns: [thinking] });
    const terminal = await openTerminal({ server });
    terminal.type("hi\r");
    await terminal.waitFor("Hello there.");
    expect(terminal.screen()).toContain("The text above was the model's thought");
    expect(terminal.screen()).not.toContain("</think>");
    terminal.type("/clear\r");
    await terminal.settled();
    terminal.type("hi again\r");
    await terminal.waitFor(/hi again[\s\S]*Hello there\./);
    expect(terminal.screen().split("hi again")[1]).not.toContain("I should greet.");
    terminal.close();
  });

  test("a command that gets the terminal says where its output went", async () => {
    server.use({ turns: [] });
    const terminal = await openTerminal({ server });
    terminal.type("!!echo hello\r");
    await terminal.waitFor("It ran in your terminal, so its output is not kept here");
    terminal.close();
  });

  test("sessions of -p are marked, and --continue opens the last chat, with -p what was used last", async () => {
    const place = makePlace();
    server.use({ turns: [{ text: "First." }, { text: "Second." }, { text: "Third." }] });
    const terminal = await openTerminal({ server, place });
    terminal.type("the long talk\r");
    await terminal.waitFor("First.");
    terminal.press("ctrl+d");
    await terminal.ended();
    terminal.close();
    await run(["-p", ...argumentsFor(server), "a quick question"], { place });
    const { stdout } = await run(["sessions"], { place });
    expect(stdout).toMatch(/1 .* \[-p\] a quick question\n.* 2 .* {2}the long talk/);
    const next = await openTerminal({ server, place, args: ["--continue"], cols: 120 });
    const opened = await next.waitFor("Continuing the session");
    expect(opened).toContain('Continuing the session "the long talk", last used just now.');
    next.close();
    const again = await run(["-p", "--continue", ...argumentsFor(server), "and?"], { place });
    expect(again.code).toBe(0);
    expect((await run(["sessions"], { place })).stdout).toMatch(/1 .* 4 messages +\[-p\] a quick question/);
  });
});

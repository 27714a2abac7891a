/** Checks plans on the screen: how one is shown, approved, edited and refused, and what the model's server receives. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { allowingNumber, denialNumber, modesAfterPlan } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { serveModel } from "../serve-model.ts";
import { type Emulated, enterKey, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

/** The keys of the answers after those that approve. */
const editKey = String(allowingNumber(modesAfterPlan.length));
const refuseKey = String(denialNumber);

const plan = "## Steps\n\n1. Write **a.txt**.\n2. Look at it.";
const present = { calls: [{ name: "present_plan", arguments: { plan } }] };
const write = { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "green\n" } }] };

/** Opens the program in mode `plan`, and has the model present its plan. */
async function planned(...after: readonly object[]): Promise<Emulated> {
  server.use({ turns: [present, ...after] });
  const terminal = await openTerminal({ server, rows: 30, args: ["--mode", "plan"] });
  terminal.type("make a.txt\r");
  await terminal.waitFor("[1] Approve, go on in mode default");
  return terminal;
}

const body = () => server.chats.at(-1)?.body;
const told = () => JSON.stringify(body());
const isMade = ({ place }: Emulated) => existsSync(join(place.workspace, "a.txt"));

describe.skipIf(!hasScript())("a plan on the screen (needs util-linux script)", () => {
  test("is drawn as Markdown, and goes on in the chosen mode with the prompt unchanged", async () => {
    const terminal = await planned(write, { text: "Made." });
    expect(terminal.screen()).toMatch(/Plan:\n[\s\S]*Steps[\s\S]*1\. Write a\.txt\.\n2\. Look at it\./);
    expect(terminal.screen()).toContain("[2] Approve, go on in mode accept-edits");
    expect(JSON.stringify(body())).toContain("Mode plan is on");
    terminal.press("2");
    await terminal.waitFor("Made.");
    expect(isMade(terminal)).toBe(true);
    await terminal.waitFor("accept-edits");
    expect(terminal.everything()).toMatch(/✓ present_plan[\s\S]*1\. Write a\.txt\.[\s\S]*✓ write_file/);
    const [first, second] = server.chats.map((chat) => chat.body);
    expect(second?.["tools"]).toEqual(first?.["tools"]);
    const [before = [], now = []] = [first, second].map((one) => one?.["messages"] as unknown[]);
    expect(now.slice(0, before.length)).toEqual(before);
    terminal.close();
  });

  test("in mode default each change is asked about after the approval", async () => {
    const terminal = await planned(write, { text: "Made." });
    terminal.press("1");
    await terminal.waitFor("[1] Allow Once");
    expect(isMade(terminal)).toBe(false);
    terminal.press("1");
    await terminal.waitFor("Made.");
    terminal.close();
  });

  test("edited reaches the model as it was edited, once it is approved", async () => {
    const terminal = await planned({ text: "I see." });
    terminal.press(editKey);
    await terminal.waitFor("Edit the plan:");
    // A digit is text here, and the two lines stay two.
    terminal.type(" Then 1 more.");
    await terminal.waitFor("Look at it. Then 1 more.");
    terminal.press("enter");
    await terminal.waitFor("Plan, edited by you:");
    expect(server.chats).toHaveLength(1);
    await terminal.waitFor("[1] Approve");
    terminal.press("1");
    await terminal.waitFor("I see.");
    expect(told()).toContain("2. Look at it. Then 1 more.");
    expect(told()).toContain("The mode is now default");
    expect(terminal.everything()).toMatch(/✓ present_plan[\s\S]*Look at it\. Then 1 more\./);
    terminal.close();
  });

  test("given up in the field stays the model's plan", async () => {
    const terminal = await planned({ text: "I see." });
    terminal.press(editKey);
    await terminal.waitFor("Edit the plan:");
    terminal.type("x");
    terminal.press("esc");
    await terminal.waitFor("[1] Approve");
    expect(terminal.screen()).not.toContain("edited by you");
    terminal.press("1");
    await terminal.waitFor("I see.");
    expect(told()).not.toContain("has edited it");
    terminal.close();
  });

  test("refused with a note stays in mode plan, and typed text never approves", async () => {
    const terminal = await planned({ text: "I see." });
    terminal.type("1 file is enough");
    await terminal.waitFor("Refused with this note when you press Enter:");
    terminal.press("enter");
    await terminal.waitFor("I see.");
    expect(told()).toContain("the person refused the plan and says: 1 file is enough");
    expect(terminal.screen()).toMatch(/plan\b.*$/m);
    expect(isMade(terminal)).toBe(false);
    terminal.close();
  });

  test("with a message begun before it is not approved by the message's keys", async () => {
    server.use({ turns: [{ ...present, delayMs: 500 }, { text: "I see." }] });
    const terminal = await openTerminal({ server, rows: 30, args: ["--mode", "plan"] });
    terminal.type(`make a.txt${enterKey}wait `);
    await terminal.waitFor("Not sent yet: wait");
    terminal.type("12");
    await terminal.waitFor("Not sent yet: wait 12");
    terminal.press(refuseKey);
    await terminal.waitFor("Refused. What should the model do instead?");
    terminal.press("enter");
    await terminal.waitFor("I see.");
    expect(told()).toContain("the person refused the plan.");
    terminal.close();
  });

  test("after Shift+Tab in the middle of a session is asked about too", async () => {
    server.use({ turns: [{ text: "Hello." }, present, { text: "I see." }] });
    const terminal = await openTerminal({ server, rows: 30 });
    terminal.type("hi\r");
    await terminal.waitFor("Hello.");
    terminal.type("/mode plan\r");
    await terminal.waitFor("mode plan");
    terminal.type("make a.txt\r");
    await terminal.waitFor("[1] Approve, go on in mode default");
    terminal.press("1");
    await terminal.waitFor("I see.");
    terminal.close();
  });

  test("open when the program ends is denied, and the session goes on from it", async () => {
    const terminal = await planned();
    process.kill(terminal.pid(), "SIGKILL");
    await terminal.waitFor("code=137");
    terminal.close();
    server.use({ turns: [present, { text: "Again." }] });
    const { place } = terminal;
    const again = await openTerminal({ server, place, rows: 30, args: ["--continue", "--mode", "plan"] });
    again.type("go on\r");
    await again.waitFor("Again.");
    expect(told()).toContain("present_plan");
    expect(told()).toMatch(/not run: the program ended before it began/);
    again.close();
  });
});

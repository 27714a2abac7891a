/** Checks plans where no screen asks: unattended runs, sessions that a program drives, and the chat line by line. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { modesAfterPlan, type SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { makePlace, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const plan = "1. Write a.txt.\n2. Look at it.";
const present = { calls: [{ name: "present_plan", arguments: { plan } }] };
const write = { calls: [{ name: "write_file", arguments: { path: "a.txt", content: "green\n" } }] };
const wire = () => [...argumentsFor(server), "--trust", "--mode", "plan"];

describe("without a person", () => {
  test("the plan is the answer, and the run ends well", async () => {
    server.use({ turns: [present, write] });
    const ended = await run(["-p", ...wire(), "make a.txt"]);
    expect(ended).toMatchObject({ code: 0, stdout: `${plan}\n` });
    expect(server.chats).toHaveLength(1);
  });

  test("--answer does not approve it: a run in mode plan changes nothing", async () => {
    server.use({ turns: [present, write] });
    const place = makePlace();
    const ended = await run(["-p", "--output", "json", "--answer", "once", ...wire(), "go"], { place });
    expect(JSON.parse(ended.stdout)).toMatchObject({ reason: "done", exitCode: 0, result: plan, denied: 0 });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
  });

  test("a plan in plain text is the answer as ever", async () => {
    server.use({ turns: [{ text: "I would write a.txt." }] });
    const ended = await run(["-p", ...wire(), "make a.txt"]);
    expect(ended).toMatchObject({ code: 0, stdout: "I would write a.txt.\n" });
  });

  test("a run in another mode is not offered the tool", async () => {
    server.use({ turns: [{ text: "Done." }] });
    await run(["-p", ...argumentsFor(server), "--trust", "hi"]);
    expect(JSON.stringify(server.chats[0]?.body)).not.toContain("present_plan");
  });
});

test.each(["accept-edits", undefined])(
  "a program that drives the session answers like any other request, with mode %s",
  async (mode) => {
    server.use({ turns: [present, write, { text: "Made." }] });
    const place = makePlace();
    const args = ["--input", "stream-json", ...wire()];
    const { child, output, said, ended } = await start(args, { place, stdin: "open" });
    const send = (command: object) => child.stdin?.write(`${JSON.stringify(command)}\n`);
    const find = <Type extends SessionEvent["type"]>(type: Type) =>
      output()
        .stdout.split("\n")
        .slice(0, -1)
        .map((line): SessionEvent => JSON.parse(line))
        .find((event): event is Extract<SessionEvent, { type: Type }> => event.type === type);
    send({ type: "user-message", content: "make a.txt" });
    await said(/"type":"permission-request".*\n/);
    const request = find("permission-request")?.request;
    expect(request).toMatchObject({
      toolName: "present_plan",
      arguments: { plan },
      plan: { modes: expect.arrayContaining(["default", "accept-edits"]) },
    });
    send({ type: "permission-answer", requestId: request?.requestId, answer: "once", mode });
    await said(/"type":"turn-end".*\n/);
    child.stdin?.end();
    expect((await ended).code).toBe(0);
    expect(find("turn-end")).toMatchObject({ reason: "done", ...(mode === undefined ? { plan } : {}) });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(mode !== undefined);
  },
);

describe("line by line", () => {
  async function asked() {
    server.use({ turns: [present, { text: "I see." }] });
    const run = await start(["-i", ...wire()], { stdin: "open" });
    const type = (line: string) => run.child.stdin?.write(`${line}\n`);
    type("make a.txt");
    await run.said(
      /1\. Write a\.txt\.\n2\. Look at it\.\n\n\[1\] Approve, go on in mode default\n[\s\S]*\n> /,
    );
    return { ...run, type };
  }
  const told = () => JSON.stringify(server.chats.at(-1)?.body);

  test("the number of a mode approves, alone on its line", async () => {
    const { type, said, child } = await asked();
    type("2 but hurry");
    await said("must be alone on its line");
    type("2");
    await said("I see.\n> ");
    expect(told()).toContain("The mode is now accept-edits");
    child.stdin?.end();
  });

  test.each([`${modesAfterPlan.length + 1} not in a.txt`, "no, not in a.txt"])(
    "%j refuses with a note",
    async (line) => {
      const { type, said, child } = await asked();
      type(line);
      await said("I see.\n> ");
      expect(told()).toMatch(/the person refused the plan and says: .*not in a\.txt\. Mode plan stays on/);
      child.stdin?.end();
    },
  );

  test("the end of input leaves the plan as the answer", async () => {
    const { child, ended } = await asked();
    child.stdin?.end();
    expect((await ended).code).toBe(0);
    expect(server.chats).toHaveLength(1);
  });
});

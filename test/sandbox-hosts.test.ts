/** Checks that the person is asked about a host that a command in the sandbox tries to reach, with the same words in every face. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasScript } from "./run-in-terminal.ts";
import { makePlace, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

const server = await serveModel();

const isHere = ["bwrap", "socat"].every((name) =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, name))),
);
const script = `
  const reach = (host) => fetch("http://" + host + "/").then(() => "reached", (error) => error.cause?.message);
  console.log(await reach("registry.invalid"), "|", await reach("registry.invalid"));
  process.exitCode = 1;`;
const bash = { calls: [{ name: "bash", arguments: { command: "node reach.mjs" } }] };
const args = ["--sandbox", "require", "--mode", "auto"];
const told = () => JSON.stringify(server.chats.at(-1)?.body);
const place = () => makePlace({ "reach.mjs": script });

describe.skipIf(!isHere)("a host that a command tries to reach (needs bubblewrap)", () => {
  test("is asked about in the chat, once; the audit log has the answer", async () => {
    server.use({ turns: [bash, { text: "Done." }] });
    const here = place();
    const talk = await start(["-i", ...argumentsFor(server), ...args], { place: here, stdin: "open" });
    talk.child.stdin?.write("go\n");
    await talk.said("[1] Once, for this command\n[2] For this session\n[4] Deny\n");
    expect(talk.output().stdout).toMatch(
      /Tool: reach_host\nArguments: \{"command": "node reach\.mjs", "host": "registry\.invalid", "port": 80\}\nRisk: .*leaves this machine\n.*the command tries to reach registry\.invalid and waits for your answer\nOnce, for this command: it reaches registry\.invalid until it ends, at any port\n/,
    );
    talk.child.stdin?.write("4\n");
    await talk.said("Done.");
    talk.child.stdin?.end("/quit\n");
    const ended = await talk.ended;
    expect(ended.stdout.match(/Permission Request/g)).toHaveLength(1);
    expect(told()).toMatch(/the person did not let this command reach registry\.invalid/);
    const audit = await run(["audit"], { place: here });
    expect(audit.stdout).toMatch(
      /ok .*bash .*reach_host \{"command":"node reach\.mjs","host":"registry\.invalid","port":80\} you: deny/,
    );
  });

  test("is asked about when a rule allows the command, which then asks nothing before it runs", async () => {
    const here = place();
    const rule = { id: "view", decision: "allow", tool: "bash", command: ["npm", "view", "tiny-greeting"] };
    expect((await run(["policy", "add", JSON.stringify(rule)], { place: here })).code).toBe(0);
    const view = { calls: [{ name: "bash", arguments: { command: "npm view tiny-greeting" } }] };
    server.use({ turns: [view, { text: "Done." }] });
    const talk = await start(["-i", ...argumentsFor(server), "--sandbox", "require"], {
      place: here,
      stdin: "open",
    });
    talk.child.stdin?.write("go\n");
    await talk.said("[4] Deny\n");
    talk.child.stdin?.write("4\n");
    await talk.said("Done.");
    talk.child.stdin?.end("/quit\n");
    const { stdout } = await talk.ended;
    expect(stdout.match(/Tool: \w+/g)).toEqual(["Tool: reach_host"]);
    expect(stdout).toContain('"host": "registry.npmjs.org"');
  });

  test("is refused at once in a run without a person, whose result says how to open it", async () => {
    server.use({ turns: [bash, { text: "Done." }] });
    const ended = await run(["-p", ...argumentsFor(server), ...args, "go"], { place: place() });
    expect(ended.code, ended.stderr).toBe(0);
    expect(told()).toMatch(/getaddrinfo.*the sandbox closes the network.*sandbox_domains/);
  });

  test.skipIf(!hasScript())("is asked about on the screen, with one key for each answer", async () => {
    server.use({ turns: [bash, { text: "Done." }] });
    const terminal = await openTerminal({ server, place: place(), args });
    terminal.type("go\r");
    const screen = await terminal.waitFor("[1] Once, for this command");
    expect(screen).toMatch(
      /reach_host[\s\S]*host: registry\.invalid[\s\S]*\[2\] For this session[\s\S]*\[4\] Deny/,
    );
    terminal.press("1");
    await terminal.waitFor("Done.");
    // The name is of no host, which is looked up only now.
    expect(told()).not.toMatch(/did not let/);
    terminal.close();
  });

  test.skipIf(!hasScript())(
    "is not reached when the person interrupts the turn at the question",
    async () => {
      server.use({ turns: [bash, { text: "Done." }] });
      const terminal = await openTerminal({ server, place: place(), args });
      terminal.type("go\r");
      await terminal.waitFor("[1] Once, for this command");
      terminal.press("ctrl+c");
      await terminal.waitFor(/interrupted/i);
      terminal.close();
    },
  );
});

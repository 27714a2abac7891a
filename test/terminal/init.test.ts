/** Checks `/init` in a real terminal: the model looks, and writes AGENTS.md with a call that the person is asked about. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasScript } from "../run-in-terminal.ts";
import { run } from "../run-program.ts";
import { argumentsFor, serveModel } from "../serve-model.ts";
import { enterKey, openTerminal } from "./open-terminal.ts";

const server = await serveModel();

const look = { name: "ls", arguments: { path: "." } };
const write = { name: "write_file", arguments: { path: "AGENTS.md", content: "# Rules\n" } };
const sent = () => JSON.stringify(server.chats.at(-1)?.body);

test.skipIf(!hasScript())("/init asks before AGENTS.md is written, and later improves it", async () => {
  server.use({ turns: [{ calls: [look] }, { calls: [write] }, { text: "Written." }, { text: "Better." }] });
  const terminal = await openTerminal({ server, rows: 40 });
  terminal.type("/init mind the tests\r");
  await terminal.waitFor("[1] Allow Once");
  terminal.press("1");
  await terminal.waitFor("Written.");
  expect(readFileSync(join(terminal.place.workspace, "AGENTS.md"), "utf8")).toBe("# Rules\n");
  expect(sent()).toContain("Write AGENTS.md in this folder");
  expect(sent()).toContain("mind the tests");
  terminal.type("/init\r");
  await terminal.waitFor("Better.");
  expect(sent()).toContain("Improve AGENTS.md of this folder");
  terminal.type(`/mode plan${enterKey}/init\r`);
  await terminal.waitFor("mode plan changes nothing, so AGENTS.md cannot be written");
  expect(server.chats).toHaveLength(4);
  terminal.close();
});

test("-p /init sends the same message", async () => {
  server.use({ turns: [{ text: "Done." }] });
  expect(await run(["-p", ...argumentsFor(server), "/init"])).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(sent()).toContain("Write AGENTS.md in this folder");
});

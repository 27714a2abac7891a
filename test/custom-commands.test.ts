/** Checks custom commands in the whole program. */
import { expect, test } from "vitest";
import { makePlace, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const project = { ".localharness/commands/theirs.md": "Theirs $1" };

const lastMessage = () => {
  const messages = server.chats.at(-1)?.body?.["messages"];
  return Array.isArray(messages) ? messages.at(-1) : undefined;
};

test.each([
  ["of a trusted project", true, "Theirs x"],
  ["not of a folder that is not trusted", false, "/theirs x"],
])("-p sends the message of a command, %s", async (_title, trusted, expected) => {
  server.use({ turns: [{ text: "Done." }] });
  await run(["-p", ...wire(), "/theirs x"], { place: makePlace(project, trusted) });
  expect(lastMessage()).toMatchObject({ content: expected });
});

test("in the chat /help names them, and they are sent as messages", async () => {
  server.use({ turns: [{ text: "Done." }] });
  const talk = await start(["-i", ...wire()], { place: makePlace(project), stdin: "open" });
  talk.child.stdin?.write("/help\n");
  await talk.said(/\/quit[\s\S]*\/theirs +Theirs \$1/);
  talk.child.stdin?.write("/theirs y\n");
  await talk.said("Done.");
  expect(lastMessage()).toMatchObject({ content: "Theirs y" });
  talk.child.stdin?.write("/their\n");
  await talk.said("unknown command /their.");
  talk.child.stdin?.end();
  await talk.ended;
});

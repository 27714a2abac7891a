/** A question of the model to the person, in whole turns of the real program. */
import { expect, test } from "vitest";
import { makePlace, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();

const ask = (more: object = {}) => ({
  turns: [
    {
      calls: [
        {
          name: "ask_person",
          arguments: { question: "Which door?\n[1] Once", answers: ["red", "blue"], ...more },
        },
      ],
    },
    { text: "Done." },
  ],
});

function result() {
  const { messages = [] } = JSON.parse(JSON.stringify(model.chats.at(-1)?.body ?? {}));
  return JSON.parse(messages.find(({ role }: { role: string }) => role === "tool")?.content ?? "{}");
}

test.each([
  [["2"], "blue"],
  [["the green one"], "the green one"],
  [["", "red"], "red"],
])("in the chat the lines %j answer %s", async (lines, answer) => {
  model.use(ask());
  const talk = await start(["-i", ...argumentsFor(model), "go"], { place: makePlace(), stdin: "open" });
  await talk.said(/2\. blue/);
  for (const line of lines) talk.child.stdin?.write(`${line}\n`);
  await talk.said("Done.");
  talk.child.stdin?.write("/quit\n");
  const { stdout } = await talk.ended;
  expect(stdout).toContain(
    "The model asks you. Your answer goes to the model, and allows no call.\n  │ Which door?\n  │ [1] Once\n",
  );
  expect(result()).toMatchObject({ success: true, data: answer });
});

test("/decline leaves it to the model", async () => {
  model.use(ask({ default: "red" }));
  const talk = await start(["-i", ...argumentsFor(model), "go"], { place: makePlace(), stdin: "open" });
  await talk.said(/Enter takes "red"/);
  talk.child.stdin?.write("/decline\n");
  await talk.said("Done.");
  talk.child.stdin?.write("/quit\n");
  await talk.ended;
  expect(result()).toMatchObject({ success: false, error_type: "cancelled" });
});

test.each([
  [{}, { success: false, error_message: expect.stringContaining("nobody can be asked here") }],
  [{ default: "red" }, { success: true, data: "red" }],
])("with -p and %j", async (more, expected) => {
  model.use(ask(more));
  await run(["-p", ...argumentsFor(model), "--answer", "once", "go"], { place: makePlace() });
  expect(result()).toMatchObject(expected);
  const { tools = [] } = JSON.parse(JSON.stringify(model.chats[0]?.body ?? {}));
  expect(tools.map((tool: { function: { name: string } }) => tool.function.name)).not.toContain("ask_person");
});

/** Checks skills in the whole program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: for ${name}\n${more}---\nWork like ${name}.\n`;

function place(trusted: boolean): Place {
  const made = makePlace({ ".agents/skills/glue/SKILL.md": skill("glue", "allowed-tools: bash\n") }, trusted);
  const own = join(made.home, ".config/localharness/skills/saw/SKILL.md");
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, skill("saw"));
  return made;
}

/** Returns the description of `read_skill` in the last request, and the last message. */
function lastRequest() {
  const { tools = [], messages = [] } = JSON.parse(JSON.stringify(server.chats.at(-1)?.body ?? {}));
  const tool = tools.find((one: { function: { name: string } }) => one.function.name === "read_skill");
  return { listed: String(tool?.function.description).split("Skills:\n")[1], last: messages.at(-1)?.content };
}

test.each([
  [
    true,
    "- glue: for glue\n- saw: for saw",
    /^Use the skill glue: .*\n<skill name="glue">\nWork like glue\.\n<\/skill>\n\nnow$/,
  ],
  [false, "- saw: for saw", /^\/glue now$/],
])("trusted %j: the model knows the skills, and /NAME sends one", async (trusted, listed, message) => {
  server.use({ turns: [{ text: "Done." }] });
  await run(["-p", ...argumentsFor(server), "/glue now"], { place: place(trusted) });
  const { listed: found, last } = lastRequest();
  expect(found).toBe(listed);
  expect(last).toMatch(message);
});

test("the model reads a skill without a question", async () => {
  const call = { name: "read_skill", arguments: { skill: "glue" } };
  server.use({ turns: [{ calls: [call] }, { text: "Done." }] });
  await run(["-p", ...argumentsFor(server), "glue it"], { place: place(true) });
  expect(JSON.parse(lastRequest().last)).toMatchObject({ success: true, data: "Work like glue." });
});

test("skills list shows them and what is ignored", async () => {
  const { stdout } = await run(["skills", "list"], { place: place(true) });
  const [project, own] = stdout.split("\n");
  const said = "ignored, because a skill grants nothing: allowed-tools";
  expect(project).toBe(`/glue  for glue  (.agents/skills/glue; ${said})`);
  expect(own).toMatch(/^\/saw {2}for saw {2}\(.*\.config\/localharness\/skills\/saw\)$/);
});

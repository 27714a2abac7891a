import { describe, expect, test } from "vitest";
import { withCommandsThere } from "../../../src/elsewhere/commands-there.ts";
import { loadAgents } from "../../../src/prompt/agents/load-agents.ts";
import { expandTemplate, readCommandFile } from "../../../src/prompt/custom-commands/command-file.ts";
import { openCustomCommands } from "../../../src/prompt/custom-commands/load-commands.ts";
import { openPlace } from "../../open-place.ts";

describe("what is typed is put into its places", () => {
  test.each([
    ["Review $ARGUMENTS.", "a.ts b.ts", "Review a.ts b.ts."],
    ["Move $1 to $2.", 'a.ts "a folder/b.ts" c', "Move a.ts to a folder/b.ts."],
    ["Move $1 to $2.", "a.ts", "Move a.ts to ."],
    ["Move '$1'", "it's", "Move 'it's'"],
    ["Say hello.", "", "Say hello."],
    ["Say hello.", "to me", "Say hello.\n\nto me"],
    ["$ARGUMENTS", "$1 and $ARGUMENTS", "$1 and $ARGUMENTS"],
    ["costs $10 and $$1", "x", "costs $10 and $x"],
    ["$ARGUMENTSX $ARGUMENT", "x", "$ARGUMENTSX $ARGUMENT\n\nx"],
    ["!`rm -rf $1`", "x", "!`rm -rf x`"],
  ])("%s with %s", (template, typed, expected) => {
    expect(expandTemplate(template, typed)).toBe(expected);
  });
});

describe("a file is a command", () => {
  test.each([
    ["Do it.", { name: "do", about: "Do it.", template: "Do it." }],
    [
      "---\ndescription: does it\nargument-hint: [file]\n---\nDo $1.",
      { name: "do", about: "does it", argumentHint: "[file]", template: "Do $1." },
    ],
  ])("%j", (text, expected) => {
    expect(readCommandFile(text, "do.md")).toEqual(expected);
  });

  test.each([
    ["---\nallowed-tools: bash\n---\nDo it.", "do.md", 'unknown key "allowed-tools"'],
    ["---\ndescription: x\n", "do.md", "line 1: the front matter is not closed"],
    ["---\ndescription: x\n---\n \n", "do.md", "there is no text"],
    ["Do it.", "-do.md", "the file name expects"],
    ["x".repeat(17_000), "do.md", "it has more than 16384 bytes"],
  ])("%j is none", (text, name, problem) => {
    expect(readCommandFile(text, name)).toContain(problem);
  });
});

test("the person's own go before the project's, which are there in a trusted folder alone", async () => {
  const { folder, workspace } = await openPlace({
    "config/commands/review.md": "Mine: $1",
    "config/commands/broken.md": "---\nx",
    "ws/.localharness/commands/review.md": "Theirs",
    "ws/.localharness/commands/test.md": "Test it",
  });
  const trusted = openCustomCommands(folder, workspace);
  const { commands, warnings } = await trusted.list();
  expect(commands.map(({ name, origin }) => `${origin} ${name}`)).toEqual(["user review", "project test"]);
  expect(warnings.map((warning) => warning.replace(/.*(commands\/\w+)/, "$1"))).toEqual([
    "commands/broken.md is not used: line 1: the front matter is not closed: expected a line ---",
    "commands/review.md is not used: your own /review takes precedence",
  ]);
  expect(await trusted.expand("review", "a.ts")).toBe("Mine: a.ts");
  await expect(trusted.expand("nothing", "")).rejects.toThrow("there is no command /nothing");
  const own = openCustomCommands(folder, undefined);
  expect((await own.list()).commands.map(({ name }) => name)).toEqual(["review"]);
  expect(await own.expandLine("/test")).toBe("/test");
});

test("a line is a message where it names no command", async () => {
  const { folder } = await openPlace({ "config/commands/go.md": "Go $ARGUMENTS" });
  const own = openCustomCommands(folder, undefined);
  expect(await own.expandLine("/go to\nthe end ")).toBe("Go to\nthe end");
  for (const line of ["/etc/hosts what is it?", "go", "/", "/go/on", "// go"])
    expect(await own.expandLine(line)).toBe(line);
  expect(await openCustomCommands(undefined, undefined).expandLine("/go")).toBe("/go");
});

test.each(["user", "project"])(
  "what nobody sees in a file of the %s is taken out, and that is said",
  async (origin) => {
    const at = origin === "user" ? "config" : "ws/.localharness";
    const hidden = "Hid\u{e0041}den\u202e";
    const { folder, workspace } = await openPlace({
      [`${at}/commands/do.md`]: `---\ndescription: ${hidden}\n---\n${hidden} words`,
      [`${at}/agents/do.md`]: `---\ndescription: ${hidden}\n---\n${hidden} words`,
    });
    const warning = expect.stringMatching(/do\.md contains 4 invisible characters \(U\+E0041, U\+202E\)/);
    expect(await openCustomCommands(folder, workspace).list()).toEqual({
      commands: [{ name: "do", about: "Hidden", template: "Hidden words", origin }],
      warnings: [warning],
    });
    const { agents, warnings } = await loadAgents(folder, workspace);
    expect(agents[1]).toMatchObject({ name: "do", description: "Hidden", instructions: "Hidden words" });
    expect(warnings).toEqual([warning]);
  },
);

describe("/init", () => {
  test.each([
    ["nothing yet", {}, /^Write AGENTS\.md in this folder/],
    ["an AGENTS.md", { "ws/AGENTS.md": "Be brief." }, /^Improve AGENTS\.md of this folder.*Read it first/],
    ["a CLAUDE.md alone", { "ws/CLAUDE.md": "Be brief." }, /^Write AGENTS\.md.*Read CLAUDE\.md first/],
  ])("in a folder with %s", async (_what, files, begins) => {
    const { folder, workspace } = await openPlace(files);
    const message = await openCustomCommands(folder, workspace).expandLine("/init the tests matter");
    expect(message).toMatch(begins);
    expect(message).toMatch(/\n\nthe tests matter$/);
    expect(Buffer.byteLength(message)).toBeLessThan(1_200);
  });

  test("in a folder that is not trusted does not look, and says both", async () => {
    const message = await openCustomCommands(undefined, undefined).expand("init", "");
    expect(message).toMatch(/^Write AGENTS\.md.*If it exists already, read it first and improve it/);
  });

  test("is the program's, also beside a file of that name", async () => {
    const { folder, workspace } = await openPlace({ "config/commands/init.md": "Mine." });
    expect(await openCustomCommands(folder, workspace).expand("init", "")).toMatch(/^Write AGENTS\.md/);
  });

  test("is the program's, also beside a command of that name in a folder that another machine lends", async () => {
    const commands = ["init", "go"].map((name) => ({
      name,
      about: "",
      template: "Theirs.",
      argumentHint: "",
    }));
    let looks = 0;
    const there = withCommandsThere(openCustomCommands(undefined, undefined), {
      look: async () => {
        looks += 1;
        return { commands };
      },
    });
    expect((await there.list()).commands.map(({ name }) => name)).toEqual(["go"]);
    expect(await there.expandLine("/go")).toBe("Theirs.");
    expect(looks).toBe(2);
    expect(await there.expandLine("/init")).toMatch(/^Write AGENTS\.md/);
    expect(await there.expand("init", "")).toMatch(/^Write AGENTS\.md/);
    expect(looks).toBe(2);
  });
});

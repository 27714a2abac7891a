/** Checks undo in the whole program: the command, the chat, and the note to the model. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const write = (path: string, content: string) => ({ name: "write_file", arguments: { path, content } });

test("localharness undo restores the files that the last run changed, and redo changes them again", async () => {
  const place = makePlace({ "a.txt": "mine\n", "b.txt": "mine\n" });
  const text = (name: string) => readFileSync(join(place.workspace, name), "utf8");
  expect(await run(["undo"], { place })).toMatchObject({ code: 1, stdout: /no session has changed files/ });
  server.use({
    turns: [
      { calls: [write("a.txt", "x\n"), write("b.txt", "x\n"), write("n/c.txt", "x")] },
      { text: "Ok." },
    ],
  });
  await run(["-p", ...wire(), "--answer", "once", "go"], { place });
  expect(text("a.txt")).toBe("x\n");
  writeFileSync(join(place.workspace, "b.txt"), "changed since\n");

  const undone = await run(["undo"], { place });
  expect(undone.code).toBe(0);
  expect(undone.stdout).toContain('undone: "go", 3 paths; 1 left alone');
  expect(undone.stdout).toContain("left alone  b.txt: it was changed since");
  expect([text("a.txt"), text("b.txt"), existsSync(join(place.workspace, "n"))]).toEqual([
    "mine\n",
    "changed since\n",
    false,
  ]);
  const redone = await run(["redo", "--json"], { place });
  expect(JSON.parse(redone.stdout)).toMatchObject({ changed: 3 });
  expect([text("a.txt"), text("n/c.txt")]).toEqual(["x\n", "x"]);
  const kept = join(place.home, ".local/state/localharness/undo");
  const [of = ""] = readdirSync(kept);
  const [session = ""] = readdirSync(join(kept, of));
  expect((await run(["undo", "--session", session.slice(0, 12)], { place })).stdout).toContain("3 paths");
  expect((await run(["sessions", "delete", session], { place })).code).toBe(0);
  expect(readdirSync(join(kept, of))).toEqual([]);
  expect((await run(["undo", "--session", "no-such"], { place })).code).toBe(1);
  expect((await run(["undo", "more"], { place })).code).toBe(2);
});

test("localharness undo does not copy files with known keys", async () => {
  const [place, key] = [makePlace(), "sk-0123456789abcdefgh"];
  const setting = { place, env: { LOCALHARNESS_API_KEY: key } };
  server.use({ turns: [{ calls: [write("config.js", `key = "${key}"`)] }, { text: "Ok." }] });
  await run(["-p", ...wire(), "--answer", "once", "go"], setting);
  expect((await run(["undo"], setting)).stdout).toContain('undone: "go", 1 path');
  const kept = join(place.home, ".local/state/localharness/undo");
  const files = readdirSync(kept, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => /[0-9a-f]{64}$/.test(name))).toEqual([]);
});

test("in the chat /undo and /redo work, and the next message tells the model", async () => {
  const place = makePlace();
  const path = join(place.workspace, "new.txt");
  server.use({
    turns: [{ calls: [write("new.txt", "made\n")] }, { text: "Done." }, { text: "I see." }],
  });
  const talk = await start(["-i", ...wire(), "--answer", "once"], { place, stdin: "open" });
  const type = (line: string) => talk.child.stdin?.write(`${line}\n`);
  type("write it");
  await talk.said("Done.\n> ");
  type("/undo");
  await talk.said(
    /undoing: "write it", 1 path\nundone: "write it", 1 path\n {2}changed by {2}write_file new\.txt\n {2}removed {5}new\.txt \(\+1\)[\s\S]*> /,
  );
  expect(existsSync(path)).toBe(false);
  type("/redo");
  await talk.said('redone: "write it", 1 path');
  type("/undo");
  await talk.said(/redone[\s\S]*undone: "write it"[\s\S]*> /);
  type("/undo");
  await talk.said("there is nothing to undo");
  type("/undo all");
  await talk.said("/undo takes a number of turns");
  type("what now?");
  await talk.said("I see.\n> ");
  talk.child.stdin?.end();
  await talk.ended;
  const messages = server.chats.at(-1)?.body?.["messages"] as unknown as readonly { content: string }[];
  const [note, question] = messages.slice(-2);
  expect(note?.content).toMatch(/The person undid "new\.txt"\..*read them again/);
  expect(question?.content).toBe("what now?");
});

test("after /undo and /clear the next session has read nothing, so its edit is not refused as stale", async () => {
  const place = makePlace({ "a.txt": "one\n" });
  const edit = (old_string: string, new_string: string) => ({
    name: "edit_file",
    arguments: { path: "a.txt", old_string, new_string },
  });
  server.use({
    turns: [],
    conversations: [
      { says: "first", turns: [{ calls: [edit("one", "two")] }, { text: "Done." }] },
      { says: "second", turns: [{ calls: [edit("one", "three")] }, { text: "Again." }] },
    ],
  });
  const talk = await start(["-i", ...wire(), "--answer", "once"], { place, stdin: "open" });
  const type = (line: string) => talk.child.stdin?.write(`${line}\n`);
  type("the first task");
  await talk.said("Done.\n> ");
  type("/undo");
  await talk.said(/undone: "the first task"[\s\S]*> /);
  type("/clear");
  await talk.said(/undone[\s\S]*new session[\s\S]*> /);
  type("the second task");
  await talk.said("Again.\n> ");
  talk.child.stdin?.end();
  await talk.ended;
  expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("three\n");
});

test("an edit in a session that has read nothing is not refused for what an earlier session read", async () => {
  const place = makePlace({ "a.txt": "one\n" });
  const read = { name: "read_file", arguments: { path: "a.txt" } };
  const edit = { name: "edit_file", arguments: { path: "a.txt", old_string: "mine", new_string: "theirs" } };
  server.use({
    turns: [],
    conversations: [
      { says: "first", turns: [{ calls: [read] }, { text: "Done." }] },
      { says: "second", turns: [{ calls: [edit] }, { text: "Again." }] },
    ],
  });
  const talk = await start(["-i", ...wire(), "--answer", "once"], { place, stdin: "open" });
  const type = (line: string) => talk.child.stdin?.write(`${line}\n`);
  type("the first task");
  await talk.said("Done.\n> ");
  writeFileSync(join(place.workspace, "a.txt"), "mine\n");
  type("/clear");
  await talk.said(/new session[\s\S]*> /);
  type("the second task");
  await talk.said("Again.\n> ");
  talk.child.stdin?.end();
  await talk.ended;
  expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("theirs\n");
});

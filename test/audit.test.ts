/** Checks the audit log of the real program: it records every request, decision and result, and only its owner can read it. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const files = { "a.txt": "one\n" };
const look = { name: "ls", arguments: {} };
const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };
const remove = { name: "remove", arguments: { path: "../a\u001b[31m.txt" } };
const key = "sk-1234567890abcdefghij";

/** Sends one message, for which the model makes these calls. */
async function message(place: Place, calls: readonly (typeof look | typeof write | typeof remove)[]) {
  server.use({ turns: [{ calls: [...calls] }, { text: "Done." }] });
  const wire = [...argumentsFor(server), "--sandbox", "off"];
  return run(["-p", ...wire, "--mode", "accept-edits", "go"], { place, env: { OPENAI_API_KEY: key } });
}

const folderOf = ({ home }: Place) => join(home, ".local/state/localharness/audit");
const logOf = (place: Place) =>
  join(folderOf(place), readdirSync(folderOf(place)).find((name) => name.endsWith(".jsonl")) ?? "");
const audit = (place: Place, ...args: string[]) => run(["audit", ...args], { place });

test("names each call, what decided on it, and what came of it", async () => {
  const place = makePlace(files);
  await message(place, [look, write, remove]);
  const { stdout, code } = await audit(place);
  expect(code).toBe(0);
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}`;
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(`^${time}ok +ls +{} +\\(allow by risk:safe, risk safe, \\d+ ms, \\d+ bytes\\)$`),
    expect.stringMatching(
      `^${time}ok +write_file +.*new.txt.* +\\(allow by mode:accept-edits, risk high, .* ms`,
    ),
    expect.stringMatching(`^${time}DENIED +remove +.* +\\(deny by built-in:path, .*because of path`),
    "",
  ]);
});

test("can be filtered by denied calls and by time, and printed as JSON", async () => {
  const place = makePlace(files);
  await message(place, [look, remove]);
  expect((await audit(place, "--denied")).stdout).toMatch(/^[^\n]*DENIED {5}remove[^\n]*\n$/);
  expect((await audit(place, "--since", "1h")).stdout.split("\n")).toHaveLength(3);
  expect(await audit(place, "--since", "2999-01-01")).toMatchObject({
    stdout: "",
    stderr: "the audit log of this folder has no matching calls\n",
  });
  expect((await audit(place, "--since", "yesterday")).code).toBe(2);
  const lines = (await audit(place, "--json")).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { tool: "ls", decision: "allow", ran: true, result: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    { tool: "remove", decision: "deny", ran: false },
  ]);
});

test("is printed without control characters", async () => {
  const place = makePlace(files);
  await message(place, [remove]);
  const { stdout } = await audit(place);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toContain("[31m");
});

test("belongs to one workspace and one person", async () => {
  const place = makePlace(files);
  await message(place, [look]);
  expect(statSync(logOf(place)).mode & 0o777).toBe(0o600);
  expect(statSync(folderOf(place)).mode & 0o777).toBe(0o700);
  const other = { ...place, workspace: makePlace().workspace };
  expect((await audit(other)).stderr).toBe("the audit log of this folder has no matching calls\n");
});

test("holds no key that the program knows of", async () => {
  const place = makePlace(files);
  await message(place, [
    { ...write, arguments: { path: "new.txt", content: `key ${key}\n` } },
    { ...write, arguments: { path: `x/${key}.txt`, content: "x" } },
    { name: "read_file", arguments: { path: `${key}.pem` } },
    { name: "bash", arguments: { command: `npm test --${key}; cat ${key}/a.pem > ${key}` } },
  ]);
  expect(readFileSync(logOf(place), "utf8")).toContain("new.txt");
  expect(readFileSync(logOf(place), "utf8")).not.toContain(key);
});

test("continues on a new line after a torn one, and reports unreadable lines", async () => {
  const place = makePlace(files);
  await message(place, [look]);
  appendFileSync(logOf(place), '{"type":"call","session":"s","ca');
  await message(place, [write]);
  const { stdout, stderr } = await audit(place);
  expect(stdout).toMatch(/ ok +ls [\s\S]* ok +write_file /);
  expect(stderr).toBe("! 1 line of the log could not be read\n");
});

test.each(["a folder", "a link"])(
  "that cannot be written, being %s, lets nothing change unrecorded",
  async (what) => {
    const place = makePlace(files);
    await message(place, [look]);
    const path = logOf(place);
    const elsewhere = join(place.home, "elsewhere.txt");
    rmSync(path);
    if (what === "a folder") mkdirSync(path);
    else symlinkSync(elsewhere, path);
    const ended = await message(place, [look, write]);
    expect(ended.stderr).toMatch(
      /✓ ls[\s\S]*✗ write_file io_error: not run: the audit log cannot be written/,
    );
    expect(readdirSync(place.workspace)).toEqual(["a.txt"]);
    expect(existsSync(elsewhere)).toBe(false);
  },
);

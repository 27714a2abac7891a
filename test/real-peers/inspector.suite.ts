/** The real MCP Inspector, with `--cli`, lists and calls what `localharness mcp serve` offers, over stdio and over HTTP. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { makePlace, type Place, program, type Run, run, start } from "../run-program.ts";
import { peerFile } from "./installed-peers.ts";

const inspector = peerFile("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");
const serving: Run[] = [];
afterAll(async () => {
  for (const { child, ended } of serving) {
    child.kill();
    await ended;
  }
});

/** Returns the words that name the server for the inspector. */
type Target = (place: Place) => Promise<readonly string[]>;

const overStdio: Target = async ({ workspace }) => {
  const words = [process.execPath, program(), "mcp", "serve", "--workspace", workspace];
  return [...words, "--sandbox", "off", "--allow", "write_file --path a.txt"];
};

const overHttp: Target = async (place) => {
  const flags = ["--http", "--port", "0", "--sandbox", "off", "--allow", "write_file --path a.txt"];
  const served = await start(["mcp", "serve", ...flags], { place });
  serving.push(served);
  await served.said(/ at http:\S+/);
  const { stdout, stderr } = served.output();
  const [, url = ""] = / at (http:\S+)/.exec(stdout + stderr) ?? [];
  const token = (await run(["mcp", "serve", "token"], { place })).stdout.trim();
  return [url, "--header", `Authorization: Bearer ${token}`];
};

async function inspect(place: Place, target: readonly string[], ...words: readonly string[]) {
  const command = [process.execPath, inspector, "--cli", ...target, ...words];
  const { code, stdout, stderr } = await run([], { place, program: command });
  return { code, stderr, value: stdout.trim() === "" ? undefined : JSON.parse(stdout) };
}

const toolsOf = (value: { readonly tools: readonly { readonly name: string }[] }) =>
  value.tools.map(({ name }) => name);

test("over stdio the inspector finds no fault in a schema, and lists files", async () => {
  const place = makePlace({ "note.txt": "milk\n" });
  const target = await overStdio(place);
  const listed = await inspect(place, target, "--method", "tools/list", "--strict");
  expect(listed).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/portab/i) });
  expect(toolsOf(listed.value)).toEqual(expect.arrayContaining(["ls", "read_file", "write_file", "bash"]));
  const { value } = await inspect(place, target, "--method", "resources/list");
  expect(value.resources).toMatchObject([{ name: "note.txt" }]);
  const uri = pathToFileURL(join(place.workspace, "note.txt")).href;
  const read = await inspect(place, target, "--method", "resources/read", "--uri", uri);
  expect(read.value.contents).toMatchObject([{ text: "milk\n" }]);
});

test.each([
  ["stdio", overStdio],
  ["HTTP", overHttp],
])("over %s it calls tools, and a denial says what to do", async (_name, targetOf) => {
  const place = makePlace();
  const target = await targetOf(place);
  const write = (path: string) => {
    const words = ["--tool-name", "write_file", "--tool-arg", `path=${path}`, "content=new"];
    return inspect(place, target, "--method", "tools/call", ...words);
  };
  expect((await write("a.txt")).value).toMatchObject({ isError: false });
  expect(readFileSync(join(place.workspace, "a.txt"), "utf8")).toBe("new");
  expect(JSON.stringify((await write("b.txt")).value)).toMatch(/nobody could be asked.*--allow/);
});

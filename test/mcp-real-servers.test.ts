/** Real MCP servers: whole turns of the real program call every tool that they offer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { callEveryTool, type ToolCase } from "./every-tool.ts";
import { makePlace, type Place, root } from "./run-program.ts";
import { serveModel } from "./serve-model.ts";

const model = await serveModel();

const server = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

/** Without simulate-research-query, which runs only as a task and is left out. */
const everything: readonly ToolCase[] = [
  { tool: "echo", args: { message: "hello" }, data: /^Echo: hello$/ },
  { tool: "get-sum", args: { a: 2, b: 40 }, data: /\b42\b/ },
  { tool: "get-annotated-message", args: { messageType: "error" }, data: /Error/ },
  { tool: "get-env", data: /"HOME"/ },
  {
    tool: "get-resource-links",
    args: { count: 2 },
    data: /\[resource demo:\/\/resource\/dynamic\/text\/2: /,
  },
  {
    tool: "get-resource-reference",
    args: { resourceType: "Text", resourceId: 1 },
    data: /Resource 1: This is a plaintext resource/,
  },
  { tool: "get-structured-content", args: { location: "Chicago" }, data: /^\{"temperature":36/ },
  { tool: "get-tiny-image", data: /\[image image\/png, 4033 bytes\]/ },
  {
    tool: "gzip-file-as-resource",
    args: { name: "a.gz", data: "data:text/plain,hello" },
    data: /\[resource demo:.*a\.gz/,
  },
  { tool: "toggle-simulated-logging", data: /^Started simulated/ },
  { tool: "toggle-subscriber-updates", data: /^Started simulated/ },
  { tool: "trigger-long-running-operation", args: { duration: 0.1, steps: 2 }, data: /completed/ },
  { tool: "get-roots-list", data: /URI: file:.*\/ws/ },
  { tool: "trigger-elicitation-request", data: /declined/ },
  {
    tool: "trigger-url-elicitation",
    args: { url: "https://example.com/in", message: "Sign in", elicitationId: "1" },
    data: /declined/,
  },
];

const files: readonly ToolCase[] = [
  { tool: "list_allowed_directories", data: /ws$/ },
  { tool: "create_directory", args: { path: "sub" }, data: /created/ },
  { tool: "write_file", args: { path: "sub/a.txt", content: "one\n" }, data: /wrote/ },
  {
    tool: "edit_file",
    args: { path: "sub/a.txt", edits: [{ oldText: "one", newText: "two" }] },
    data: /\+two/,
  },
  { tool: "move_file", args: { source: "sub/a.txt", destination: "b.txt" }, data: /moved/ },
  { tool: "read_file", args: { path: "b.txt" }, data: /^two\n$/ },
  { tool: "read_text_file", args: { path: "note.txt", head: 1 }, data: /^milk$/ },
  { tool: "read_multiple_files", args: { paths: ["b.txt", "note.txt"] }, data: /two[\s\S]*milk/ },
  { tool: "read_media_file", args: { path: "dot.png" }, data: /image\/png, 68 bytes/ },
  { tool: "list_directory", args: { path: "." }, data: /\[DIR\] sub/ },
  { tool: "list_directory_with_sizes", args: { path: "." }, data: /note\.txt +\d+ B/ },
  { tool: "directory_tree", args: { path: "." }, data: /"name": "sub"/ },
  { tool: "search_files", args: { path: ".", pattern: "**/*.txt" }, data: /note\.txt/ },
  { tool: "get_file_info", args: { path: "note.txt" }, data: /isFile: true/ },
];

/** An image of one pixel. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

const knows = { entityName: "Ada", contents: ["writes programs"] };
const relation = { from: "Ada", to: "Engine", relationType: "knows" };
const memory: readonly ToolCase[] = [
  {
    tool: "create_entities",
    args: {
      entities: ["Ada", "Engine"].map((name) => ({ name, entityType: "thing", observations: [] })),
    },
    data: /"Ada"/,
  },
  { tool: "create_relations", args: { relations: [relation] }, data: /"knows"/ },
  { tool: "add_observations", args: { observations: [knows] }, data: /writes programs/ },
  { tool: "search_nodes", args: { query: "programs" }, data: /"Ada"/ },
  { tool: "open_nodes", args: { names: ["Engine"] }, data: /"Engine"/ },
  {
    tool: "delete_observations",
    args: { deletions: [{ entityName: "Ada", observations: knows.contents }] },
    data: /deleted/,
  },
  { tool: "delete_relations", args: { relations: [relation] }, data: /deleted/ },
  { tool: "delete_entities", args: { entityNames: ["Ada"] }, data: /deleted/ },
  { tool: "read_graph", data: /^(?!.*Ada)[\s\S]*"Engine"/ },
];

const cases: readonly (readonly [
  server: string,
  entry: (place: Place) => object,
  calls: readonly ToolCase[],
])[] = [
  ["everything", () => server("everything"), everything],
  ["filesystem", ({ workspace }) => server("filesystem", workspace), files],
  [
    "memory",
    ({ home }) => ({ ...server("memory"), env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") } }),
    memory,
  ],
];

describe("a whole turn calls every tool of", () => {
  test.each(cases)("server-%s", async (_name, entry, calls) => {
    const place = makePlace({ "note.txt": "milk" });
    writeFileSync(join(place.workspace, "dot.png"), dot);
    await callEveryTool(model, place, entry(place), calls);
  });
});

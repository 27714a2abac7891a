/** Runs the AI SDK examples as they are documented: the file in examples/ and the code blocks of detect's README. */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { fakeModelName, startFakeServer } from "../packages/models/test/fake-server/index.ts";
import { root } from "./run-program.ts";

const run = promisify(execFile);

it("the AI SDK example calls its tool from text and answers", async () => {
  await using server = await startFakeServer({
    turns: [
      {
        text: "I look at the clock.",
        calls: [{ name: "get_current_time", arguments: { zone: "Europe/Vienna" } }],
        writtenAs: "hermes",
      },
      { text: "It is late." },
    ],
  });
  const env = { ...process.env, BASE_URL: server.baseUrl, MODEL: fakeModelName };
  const { stdout, stderr } = await run(process.execPath, ["examples/ai-sdk.ts"], { cwd: root, env });
  expect(stdout.trim().replace(/\s+/g, " ")).toBe("I look at the clock. It is late.");
  expect(stderr).toMatch(/\[get_current_time\] \d\d\/\d\d\/\d{4}, \d\d:\d\d:\d\d/);
});

describe("the README of detect", () => {
  const readme = readFileSync(join(root, "packages/detect/README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? "");
  // Inside node_modules, so that the packages are found by their names.
  const folder = join(root, "node_modules", ".cache", `readme-test-${process.pid}`);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function runBlock(has: string, change: (code: string) => string = (code) => code): Promise<string> {
    const code = blocks.find((block) => block.includes(has));
    if (code === undefined) throw new Error(`there is no block with ${has}`);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${has.replace(/\W/g, "")}.mjs`);
    writeFileSync(file, change(code));
    return (await run(process.execPath, [file])).stdout;
  }

  it("has only code blocks that are run here", () => {
    expect(blocks).toHaveLength(2);
  });

  it("reads a whole text and a stream", async () => {
    const lines = (await runBlock("createDetector")).trim().split("\n");
    expect(lines[0]).toBe("read_file { path: 'a.txt' }");
    expect(lines.slice(1)).toEqual(
      expect.arrayContaining(["text-delta", "tool-call-start", "tool-call-end"]),
    );
  });

  it("gives a model of the AI SDK text tool calls", async () => {
    await using server = await startFakeServer({
      turns: [
        { calls: [{ name: "read_file", arguments: { path: "a.txt" } }], writtenAs: "qwen-coder" },
        { text: "It is about tea." },
      ],
      models: [{ name: "qwen2.5-coder" }],
    });
    const output = await runBlock("wrapLanguageModel", (code) =>
      code.replace("http://127.0.0.1:11434/v1", server.baseUrl),
    );
    expect(output.trim()).toBe("It is about tea.");
    expect(server.chats.at(-1)?.body?.["messages"]).toContainEqual(
      expect.objectContaining({ role: "tool", content: "the text of a.txt" }),
    );
  });
});

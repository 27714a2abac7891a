/** Checks which files are attached to a message, what the model gets of them, and what is left out. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRegistry, type Hooks, type PolicyRule } from "@localharness/engine";
import { mentionsIn } from "@localharness/protocol";
import { openAuditFile } from "@localharness/store/audit/audit-file";
import { createTools, openToolResources } from "@localharness/tools";
import { expect, onTestFinished, test } from "vitest";
import { attachFiles } from "../../../src/prompt/attachments/attach-files.ts";

interface Opening {
  readonly files: Readonly<Record<string, string>>;
  readonly rules?: readonly PolicyRule[];
  readonly hooks?: Hooks;
}

async function open({ files, rules = [], hooks }: Opening) {
  const root = mkdtempSync(join(tmpdir(), "attach-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "ws");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const resources = await openToolResources({ workspace, stateFolder: join(root, "state") });
  onTestFinished(() => resources.close());
  const audit = openAuditFile(join(root, "audit.jsonl"));
  onTestFinished(() => audit.close());
  const store = {
    load: async () => ({ rules, warnings: [] }),
    add: async () => undefined,
    forget: async () => false,
  };
  const allTools = createRegistry(createTools(resources));
  const composition = {
    allTools,
    audit,
    guidance: {
      hooks: () => hooks,
      prompt: async () => ({ text: "", warnings: [] }),
      commands: () => ({}) as never,
    },
    mcp: { resourceReader: async (server: string) => `there is no MCP server ${server}` },
    mask: (text: string) => text.replaceAll("hunter2", "****"),
    policyStore: store,
    trustedPolicyStore: store,
    sandbox: resources.sandbox,
    workspace: resources.workspace.root,
  };
  const session = { id: "s1", mode: () => "default" as const };
  return {
    root,
    workspace,
    attach: (message: string) => attachFiles(mentionsIn(message), { composition, session, trust: "full" }),
    call: (name: string, args: object) =>
      allTools.execute(
        name,
        { ...args },
        { callId: "c", signal: new AbortController().signal, report: () => undefined },
      ),
    log: async () => {
      await audit.close();
      return readFileSync(join(root, "audit.jsonl"), "utf8");
    },
  };
}

const block = (path: string, data: string) => ({
  path,
  content: `The file "${path}", which the person attached, as read_file returns it:\n${data}`,
});

test("a message takes along the files that it names, with line numbers, each once", async () => {
  const { attach } = await open({ files: { "README.md": "# Title\ntext\n", "my notes.md": "a\nb\nc\n" } });
  const { files, remarks } = await attach('see @README.md, (@README.md) and @"my notes.md":2-3 or a@b.c');
  expect(files).toEqual([
    block("README.md", "1: # Title\n2: text"),
    block("my notes.md", "2: b\n3: c\n[showing 2-3 of 3]"),
  ]);
  expect(remarks).toEqual([]);
});

test("a long file is cut with a note on how to read on; a message takes 50,000 characters of files", async () => {
  const long = "0123456789\n".repeat(5_000);
  const { attach } = await open({ files: { "a.txt": long, "b.txt": long, "c.txt": long, "d.txt": long } });
  const { files, remarks } = await attach("@a.txt @b.txt @c.txt @d.txt");
  expect(files.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(files[0]?.content).toMatch(/\n\[showing 1-\d+ of 5000, continue with offset=\d+\]$/);
  expect(remarks).toEqual([
    expect.stringContaining("@d.txt goes to the model as a name only: the files of one message"),
  ]);
});

test("what is not in the workspace or is no text goes along as a name only", async () => {
  const { root, workspace, attach } = await open({ files: { "a.bin": "\0\x01\x02", "src/x.ts": "x" } });
  writeFileSync(join(root, "outside.txt"), "secret");
  symlinkSync(join(root, "outside.txt"), join(workspace, "link.txt"));
  const message = "@../outside.txt @link.txt @state @src @src/ @a.bin @none.txt @everyone";
  const { files, remarks } = await attach(`${message} @${join(root, "outside.txt")}`);
  expect(files).toEqual([]);
  expect(remarks.map((remark) => remark.split(" goes ")[0])).toEqual([
    "@../outside.txt",
    "@link.txt",
    "@src/",
    "@a.bin",
    "@none.txt",
    `@${join(root, "outside.txt")}`,
  ]);
});

test("a file that usually holds secrets is not attached, and known secrets are masked in others", async () => {
  const { attach } = await open({
    files: { ".env": "KEY=1", "keys/server.pem": "x", "a.txt": "password hunter2" },
  });
  const { files, remarks } = await attach("@.env @keys/server.pem @a.txt");
  expect(files).toEqual([block("a.txt", "1: password ****")]);
  expect(remarks).toEqual([
    expect.stringContaining('".env" usually holds passwords or keys'),
    expect.stringContaining("If the model reads it, you are asked first"),
  ]);
});

test.each(["deny", "ask"] as const)(
  "a rule that says %s for reads holds for attached files too",
  async (decision) => {
    const rules = [
      { id: "mine", decision, justification: "drafts are private", tool: "read_file", path: "drafts/**" },
    ];
    const { attach } = await open({
      files: { "drafts/a.md": "x", "b.md": "y" },
      rules: rules as readonly PolicyRule[],
    });
    const { files, remarks } = await attach("@drafts/a.md @b.md");
    expect(files.map(({ path }) => path)).toEqual(["b.md"]);
    expect(remarks).toEqual([expect.stringContaining("drafts are private")]);
  },
);

test("the audit log has each read", async () => {
  const { attach, log } = await open({ files: { "a.md": "x" } });
  await attach("@a.md");
  expect(await log()).toContain('"read_file"');
});

test("an attached file counts as read: an edit after a change by someone else is refused", async () => {
  const { workspace, attach, call } = await open({ files: { "a.md": "one\n" } });
  await attach("@a.md");
  writeFileSync(join(workspace, "a.md"), "one\ntwo\n");
  const edit = { path: "a.md", old_text: "one", new_text: "three" };
  expect(await call("edit_file", edit)).toMatchObject({
    ok: false,
    message: expect.stringContaining("since you read it"),
  });
  await attach("@a.md");
  expect(await call("edit_file", edit)).toMatchObject({ ok: true });
});

/** Checks hooks as real programs, called by the whole program. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { configure, makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

const write = { name: "write_file", arguments: { path: "new.txt", content: "made\n" } };

/** Makes a place with an executable outside the workspace, configured as a hook. */
function withHook(script: string, hook: object, files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace(files);
  const program = executable(join(place.home, "bin/check"), script);
  configure(place, "config.json", JSON.stringify({ hooks: [{ command: [program], ...hook }] }));
  return place;
}

function executable(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function go(place: Place, args: readonly string[] = ["--answer", "once"], turns: object[] = []) {
  server.use({ turns: [{ calls: [write] }, { text: "Done." }, ...turns] });
  const wire = argumentsFor(server);
  const ended = await run(["-p", ...wire, ...args, "go"], { place });
  const sent = JSON.stringify(server.chats.at(-1)?.body?.["messages"]);
  return { ...ended, sent, written: existsSync(join(place.workspace, "new.txt")) };
}

describe("before a call", () => {
  test("a hook reads the call and blocks it with exit code 2; the model is told why, and the audit log has it", async () => {
    const place = withHook('cat > "$HOME/seen.json"; echo "not on my watch" >&2; exit 2', {
      event: "before-tool",
      tool: "write_*",
    });
    const { code, written, sent } = await go(place);
    expect({ code, written }).toEqual({ code: 4, written: false });
    expect(sent).toContain("not on my watch");
    const seen = JSON.parse(readFileSync(join(place.home, "seen.json"), "utf8")) as object;
    expect(seen).toMatchObject({
      hook_event_name: "before-tool",
      tool_name: "write_file",
      tool_input: write.arguments,
      paths: [{ path: "new.txt", access: "write" }],
    });
    const audit = await run(["audit"], { place });
    expect(audit.stdout).toContain("hook check blocked");
  });

  test.each([
    ["that passes", "exit 0", {}],
    ["that says allow", `echo '{"decision":"allow"}'`, {}],
    ["for another tool", "exit 2", { tool: "bash" }],
  ])("a hook %s allows nothing that nobody has allowed", async (_title, script, more) => {
    const { written } = await go(withHook(script, { event: "before-tool", ...more }), []);
    expect(written).toBe(false);
  });

  test.each([
    ["fails", "exit 1", {}],
    ["takes too long", "sleep 60", { timeout: 0.3 }],
    ["reads nothing", "exit 0", {}],
  ])("a hook that %s does not block", async (title, script, more) => {
    const { written, stderr } = await go(withHook(script, { event: "before-tool", ...more }));
    expect(written).toBe(true);
    if (title !== "reads nothing") expect(stderr).toContain("the before-tool hook check failed");
  });

  test("but one that is required does, also when it is not there", async () => {
    const place = makePlace();
    const hooks = [{ event: "before-tool", command: ["/no/such/check"], required: true }];
    configure(place, "config.json", JSON.stringify({ hooks }));
    const { written, sent } = await go(place);
    expect(written).toBe(false);
    expect(sent).toContain("the check check, which is required, failed: /no/such/check is not there");
  });

  test.each([
    ["is not there", ["/no/such/check"], "/no/such/check is not there"],
    ["is in no folder of PATH", ["no-such-check"], "there is no program no-such-check in PATH"],
    ["is a file of the workspace", ["WS/check.sh"], "is in a folder to which commands may write"],
    ["has no interpreter", ["HOME/broken"], "broken needs /no/such/shell, which is not there"],
    ["starts what is not there", ["sh", "-c", "no-such-check"], "it ended with 127"],
  ])("one that %s denies the call with the reason", async (_title, command, reason) => {
    const place = makePlace();
    executable(join(place.workspace, "check.sh"), "exit 0");
    writeFileSync(join(place.home, "broken"), "#!/no/such/shell\n", { mode: 0o755 });
    const words = command.map((word) => word.replace("WS", place.workspace).replace("HOME", place.home));
    const hooks = [{ event: "before-tool", command: words }];
    configure(place, "config.json", JSON.stringify({ hooks }));
    const { written, sent } = await go(place);
    expect(written).toBe(false);
    expect(sent).toContain(reason);
    expect((await run(["hooks", "list"], { place })).stdout).toMatch(
      reason.includes("127") ? /^runs / : /^cannot run /,
    );
  });
});

test("after a call the hook's output goes to the model; at the end of a turn exit code 2 continues the turn", async () => {
  const place = withHook('grep -q \'"success":true\' && echo "3 warnings"', { event: "after-tool" });
  expect((await go(place)).sent).toContain("3 warnings");

  const script = 'if [ -e "$HOME/once" ]; then exit 0; fi; touch "$HOME/once"; echo "tests fail" >&2; exit 2';
  const ended = await go(
    withHook(script, { event: "turn-end" }),
    ["--answer", "once"],
    [{ text: "Mended." }],
  );
  expect(ended.sent).toContain("A check at the end of the turn says: tests fail");
  expect(ended.stdout).toContain("Mended.");
});

test("a hook runs outside of the sandbox, without keys, in the folder of the workspace", async () => {
  const place = withHook('pwd > "$HOME/told"; env >> "$HOME/told"', { event: "turn-end" });
  const wire = argumentsFor(server);
  server.use({ turns: [{ text: "Done." }] });
  await run(["-p", ...wire, "go"], { place, env: { OPENAI_API_KEY: "sk-0123456789abcdef0123" } });
  const told = readFileSync(join(place.home, "told"), "utf8");
  expect(told.split("\n")[0]).toMatch(/\/ws$/);
  expect(told).not.toContain("sk-0123456789");
});

test("one of a project is allowed only if the file that it names is the file that starts", async () => {
  const place = makePlace();
  const allow = async (...command: readonly string[]) => {
    const hooks = [{ event: "before-tool", command }];
    mkdirSync(join(place.workspace, ".localharness"), { recursive: true });
    writeFileSync(join(place.workspace, ".localharness/hooks.json"), JSON.stringify({ hooks }));
    return await run(["hooks", "allow"], { place });
  };
  executable(join(place.workspace, "check.sh"), "echo guarded >&2; exit 2");
  const byName = await allow("check.sh");
  expect(byName.code).not.toBe(0);
  expect(byName.stderr).toContain("A file of the project is named with a slash: ./check.sh");
  expect((await run(["hooks", "list"], { place })).stdout).toMatch(/^not allowed .*there is no program/);
  expect((await allow("./check.sh")).code).toBe(0);
  const { written, sent } = await go(place);
  expect(written).toBe(false);
  expect(sent).toContain("guarded");
});

test("one in a folder to which commands may write is said not to run, as it does not", async () => {
  const place = makePlace();
  const check = join(place.home, "tools", "check.sh");
  mkdirSync(dirname(check));
  executable(check, "exit 0");
  const hooks = [{ event: "before-tool", command: [check] }];
  configure(place, "config.json", JSON.stringify({ hooks, sandbox_writable: ["~/tools"] }));
  const { stdout } = await run(["hooks", "list"], { place });
  expect(stdout).toMatch(/^cannot run .*is in a folder to which commands may write/);
});

test("those of a project run when the folder is trusted and they were allowed as they are", async () => {
  const place = makePlace({
    ".localharness/hooks.json": JSON.stringify({
      hooks: [{ event: "before-tool", command: ["./check.sh"] }],
    }),
  });
  const script = join(place.workspace, "check.sh");
  executable(script, "echo no >&2; exit 2");
  const before = await go(place);
  expect(before.written).toBe(true);
  expect(before.stderr).toContain("localharness hooks allow");
  expect((await run(["hooks", "list"], { place })).stdout).toContain("not allowed  project  before-tool");
  expect((await run(["hooks", "allow"], { place })).code).toBe(0);
  expect((await run(["hooks", "list"], { place })).stdout).toMatch(/^runs .*check\.sh/);
  const blocked = { ...write, arguments: { path: "b.txt", content: "x" } };
  server.use({ turns: [{ calls: [blocked] }, { text: "Done." }] });
  const wire = [...argumentsFor(server), "--answer", "once"];
  await run(["-p", ...wire, "go"], { place });
  expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
  executable(script, "touch PWNED; exit 2");
  server.use({ turns: [{ calls: [blocked] }, { text: "Done." }] });
  const changed = await run(["-p", ...wire, "go"], { place });
  expect(changed.stderr).toContain("They are new or changed, and do not run.");
  expect(existsSync(join(place.workspace, "PWNED"))).toBe(false);
  expect((await run(["hooks", "forget"], { place })).code).toBe(0);
  const untrusted = makePlace({ ".localharness/hooks.json": "{}" }, false);
  expect((await run(["hooks", "allow"], { place: untrusted })).code).not.toBe(0);
});

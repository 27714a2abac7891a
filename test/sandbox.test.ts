/** Checks the sandbox as the person sees it: it is named when in force, and a run that requires a missing one is refused. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace, type Place, program, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
const otherUser = 65_534;

const wire = () => argumentsFor(server);
const isHere = ["bwrap", "socat"].every((name) =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, name))),
);

/** Returns a `PATH` with all programs of this machine except the sandbox. */
function pathWithout(place: Place): string {
  const folder = join(dirname(place.home), "bin");
  mkdirSync(folder);
  for (const from of (process.env["PATH"] ?? "").split(":").filter((one) => existsSync(one))) {
    for (const name of readdirSync(from)) {
      if (name !== "bwrap" && !existsSync(join(folder, name))) {
        linkIfFree(join(from, name), join(folder, name));
      }
    }
  }
  return folder;
}

function linkIfFree(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch {
    // A broken link already has that name.
  }
}

describe("without bubblewrap", () => {
  test("status says what is missing and how to get it, and fails", async () => {
    const place = makePlace();
    const env = { PATH: pathWithout(place) };
    const status = await run(["sandbox", "status"], { place, env });
    expect(status.code).toBe(1);
    expect(status.stdout).toMatch(/bwrap[\s\S]*apt install bubblewrap/);
    const json = await run(["sandbox", "status", "--json"], { place, env });
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: "absent", works: false });
  });

  test("a run says so, and with --sandbox require there is none", async () => {
    const place = makePlace();
    const env = { PATH: pathWithout(place) };
    server.use({ turns: [{ text: "Hello." }] });
    const said = await run(["-p", ...wire(), "hi"], { place, env });
    expect(said).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/NO SANDBOX: bwrap is not installed/),
    });
    const before = server.chats.length;
    const refused = await run(["-p", ...wire(), "--sandbox", "require", "hi"], { place, env });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/a sandbox is required but not available: .*apt install bubblewrap/);
    expect(server.chats.length).toBe(before);
  });
});

test("--sandbox off is reported as off", async () => {
  const place = makePlace();
  const status = await run(["sandbox", "status", "--sandbox", "off"], { place });
  expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no sandbox/) });
});

describe.skipIf(!isHere)(
  `with bubblewrap${isHere ? "" : " (skipped: bwrap and socat are not installed)"}`,
  () => {
    test("status tries it out", async () => {
      const place = makePlace();
      const status = await run(["sandbox", "status"], { place });
      expect({ ...status, stdout: "" }).toMatchObject({ code: 0, stderr: "" });
      expect(status.stdout).toMatch(/bubblewrap/);
    });

    test("status lists what commands see of the home folder", async () => {
      const place = makePlace();
      mkdirSync(join(place.home, ".pyenv"));
      mkdirSync(join(place.home, "models"));
      const env = { LOCALHARNESS_SANDBOX_READABLE: join(place.home, "models") };
      const status = await run(["sandbox", "status"], { place, env });
      expect(status.stdout).toMatch(
        /Commands see nothing of .*\/models {2}\(sandbox_readable\)\n.*\.pyenv {2}\(Python\)/s,
      );
      const json = await run(["sandbox", "status", "--json"], { place, env });
      expect(JSON.parse(json.stdout).home.shown).toContainEqual({
        path: join(place.home, ".pyenv"),
        why: "Python",
      });
    });

    test.skipIf(process.geteuid?.() !== 0)(
      `status tries it out for a user that is not root${process.geteuid?.() === 0 ? "" : " (skipped: only root can start a program as another user)"}`,
      () => {
        const place = makePlace();
        const owner = `${otherUser}:${otherUser}`;
        execFileSync("chown", ["-R", owner, place.home, place.workspace]);
        execFileSync("chmod", ["755", dirname(place.home)]);
        const drop = [`--reuid=${otherUser}`, `--regid=${otherUser}`, "--clear-groups", "--inh-caps=-all"];
        const status = spawnSync(
          "setpriv",
          [...drop, "--", process.execPath, program(), "sandbox", "status"],
          {
            cwd: place.workspace,
            encoding: "utf8",
            env: { PATH: process.env["PATH"] ?? "", HOME: place.home },
          },
        );
        expect({ code: status.status, stderr: status.stderr }).toEqual({ code: 0, stderr: "" });
        expect(status.stdout).not.toContain("NOT WORK");
      },
    );

    test("a command that the person allowed changes the workspace and nothing else", async () => {
      const place = makePlace({ "a.txt": "one\n" });
      const command = `echo in > in.txt; echo out > "${join(place.home, "out.txt")}"; echo hook > .npmrc`;
      server.use({ turns: [{ calls: [{ name: "bash", arguments: { command } }] }, { text: "Done." }] });
      const ended = await run(["-p", ...wire(), "--sandbox", "require", "--answer", "once", "go"], { place });
      expect(ended.code, ended.stderr).toBe(0);
      expect(existsSync(join(place.workspace, "in.txt"))).toBe(true);
      expect(existsSync(join(place.home, "out.txt"))).toBe(false);
      expect(existsSync(join(place.workspace, ".npmrc"))).toBe(false);
    });

    test("rules about paths hold for programs that do not name the paths, and for what a file tool may change", async () => {
      const place = makePlace({ "src/lib/a.js": "one\n", "db/1.sql": "one\n", "own/key": "SEALED\n" });
      const rules = [
        { id: "library", decision: "deny", path: "src/lib/**", access: "write" },
        { id: "tables", decision: "ask", path: "db", access: "write" },
        { id: "own", decision: "deny", path: "own" },
      ];
      for (const rule of rules) await run(["policy", "add", JSON.stringify(rule)], { place });
      const script = `
        const fs = require("fs");
        for (const path of ["src/lib/a.js", "src/lib/new.js", "src/made.js", "db/1.sql"]) {
          try { fs.writeFileSync(path, "two\\n"); } catch (error) { console.log(error.message); }
        }
        try { console.log(fs.readFileSync("own/key", "utf8")); } catch (error) { console.log(error.message); }`;
      const calls = [
        { name: "write_file", arguments: { path: "gen.js", content: script } },
        { name: "bash", arguments: { command: "node gen.js" } },
      ];
      server.use({ turns: [...calls.map((call) => ({ calls: [call] })), { text: "Done." }] });
      const ended = await run(["-p", ...wire(), "--sandbox", "require", "--mode", "auto", "go"], { place });
      expect(ended.code, ended.stderr).toBe(0);
      const read = (path: string) => readFileSync(join(place.workspace, path), "utf8");
      expect(["src/lib/a.js", "src/made.js", "db/1.sql"].map(read)).toEqual(["one\n", "two\n", "one\n"]);
      expect(existsSync(join(place.workspace, "src/lib/new.js"))).toBe(false);
      const told = JSON.stringify(server.chats.at(-1)?.body);
      expect(told).toMatch(/rules of the person close .*src\/lib/);
      expect(told).not.toContain("SEALED");
    });

    const bash = (command: string) => ["tool", "call", "bash", JSON.stringify({ command })];
    const boxed = ["--sandbox", "require", "--answer", "once"];

    test("a command that fails for want of the network says who closes it, and how it can be opened", async () => {
      const place = makePlace();
      const failing =
        "getent hosts example.com || { echo 'Could not resolve host: example.com' >&2; exit 6; }";
      const ended = await run([...bash(failing), ...boxed], { place });
      expect(ended.stdout + ended.stderr).toMatch(
        /the sandbox closes the network.*sandbox_domains.*--sandbox off/,
      );
      server.use({
        turns: [{ calls: [{ name: "bash", arguments: { command: failing } }] }, { text: "Done." }],
      });
      await run(["-p", ...wire(), ...boxed, "go"], { place });
      const told = JSON.stringify(server.chats.at(-1)?.body);
      expect(told).toMatch(/the sandbox closes the network/);
    });

    test("git sees only the person's files, and commits them", async () => {
      const place = makePlace({ "a.txt": "one\n" });
      const commit = "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm made";
      const look = "git status --porcelain; git ls-files; echo .";
      const ended = await run([...bash(`${commit}; ${look}`), ...boxed], { place });
      expect(ended.stdout).toMatch(/^a\.txt\n\.\n/);
    });

    test("what a killed run left in the workspace is gone at the next start", async () => {
      const place = makePlace({ "a.txt": "one\n" });
      const killed = await start([...bash('echo "$TMPDIR" > at; sleep 60'), ...boxed], { place });
      const at = join(place.workspace, "at");
      await expect.poll(() => existsSync(at) && readFileSync(at, "utf8")).toBeTruthy();
      expect(readdirSync(place.workspace).length).toBeGreaterThan(10);
      killed.child.kill("SIGKILL");
      await killed.ended;
      await run(["tool", "call", "ls", "{}"], { place });
      expect(readdirSync(place.workspace).toSorted()).toEqual(["a.txt", "at"]);
      expect(existsSync(readFileSync(at, "utf8").trim())).toBe(false);
    });
  },
);

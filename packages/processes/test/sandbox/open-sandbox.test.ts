/** Tests the real sandbox with real programs: each tries something that must fail or must work. */
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { sandboxState } from "../../src/sandbox/sandbox-status.ts";
import { ripgrepPath } from "../../src/search/ripgrep.ts";
import { type Ran, runWrapped } from "./run-wrapped.ts";

const state = sandboxState("auto");
const missing = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";
const has = (program: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

interface Place {
  readonly root: string;
  readonly workspace: string;
  readonly sandbox: Sandbox;
}

function makePlace(domains: readonly string[] = []): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-sandbox-")));
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  mkdirSync(join(root, "secret"));
  writeFileSync(join(root, "secret", "key.txt"), "CANARY");
  execFileSync("git", ["init", "-q", workspace]);
  execFileSync("git", ["init", "-q", join(workspace, "sub/repository")]);
  mkdirSync(join(workspace, "sub/.vscode"));
  for (const path of ["sub/.vscode/tasks.json", "sub/.envrc"])
    writeFileSync(join(workspace, path), "there\n");
  writeFileSync(join(workspace, ".git/info/exclude"), "sub\n");
  const sandbox = openSandbox({
    mode: "require",
    rules: { workspace, writable: [], domains, unreadable: [join(root, "secret")] },
    stateFolder: join(root, "state"),
    ripgrep: ripgrepPath,
  });
  return { root, workspace, sandbox };
}

function run({ sandbox, workspace }: Place, command: string): Promise<Ran> {
  return runWrapped(sandbox, workspace, command);
}

describe.skipIf(state.kind !== "on")(`commands in the sandbox${missing}`, () => {
  let place: Place;
  let server: Server;
  let connections = 0;
  let port = 0;
  beforeAll(async () => {
    place = makePlace();
    server = createServer((socket) => {
      connections += 1;
      socket.end("reached\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  afterAll(async () => {
    server.close();
    await place.sandbox.close();
  });

  test.each([
    ["a file beside the workspace", "echo x > ../lh-sandbox-out.txt", "lh-sandbox-out.txt"],
    ["a file in the home folder", `echo x > "$HOME/lh-sandbox-out.txt"`, "lh-sandbox-out.txt"],
    [
      "a file in the folder of temporary files of all",
      "echo x > /tmp/lh-sandbox-out.txt",
      "lh-sandbox-out.txt",
    ],
    ["a folder beside the workspace", "mkdir ../lh-sandbox-made", "lh-sandbox-made"],
    ["a link that leads out", "ln -s .. up && echo x > up/lh-sandbox-out.txt", "lh-sandbox-out.txt"],
    ["another place for the workspace itself", "mv ../ws ../lh-sandbox-moved", "lh-sandbox-moved"],
  ])("cannot write %s", async (_title, command, made) => {
    const { code, output } = await run(place, command);
    expect({ code, output }).toEqual({
      code: expect.not.stringMatching(/^0$/),
      output: expect.stringMatching(/Read-only|Permission|busy|denied/i),
    });
    expect(code).not.toBe(0);
    expect([place.root, homedir(), "/tmp"].some((folder) => existsSync(join(folder, made)))).toBe(false);
  });

  test.each([
    ".git/config",
    ".git/hooks/pre-commit",
    ".mcp.json",
    ".npmrc",
    ".envrc",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    ".localharness/policy.json",
    ".husky/pre-commit",
    ".claude/settings.json",
    ".cursor/mcp.json",
    ".codex/config.toml",
    ".gitmodules",
    ".git/worktrees/w/commondir",
    ".git/objects/info/alternates",
    ".ghci",
    ".iex.exs",
    ".mise/config.toml",
  ])("cannot write %s, whether it is there or not", async (path) => {
    const before = existsSync(join(place.workspace, path))
      ? readFileSync(join(place.workspace, path), "utf8")
      : undefined;
    const written = await run(place, `mkdir -p "$(dirname ${path})"; echo PLANTED >> ${path}`);
    expect(written.code).not.toBe(0);
    const moved = await run(
      place,
      `echo PLANTED > mine && mv -f mine ${path}; rm -f mine; grep -q PLANTED ${path}`,
    );
    expect(moved.code).not.toBe(0);
    const after = existsSync(join(place.workspace, path))
      ? readFileSync(join(place.workspace, path), "utf8")
      : undefined;
    expect(after).toBe(before);
  });

  test("cannot write any other protected name, here or in a folder where it is already", async () => {
    const paths = [
      ...[".git/commondir", ".git/config.worktree", ".git/info/attributes", ".git/modules/x/config"],
      ...[".devcontainer/devcontainer.json", ".tool-versions", ".gdbinit", ".zed/tasks.json", ".gemini/x"],
      ...[".exrc", ".cargo/config.toml", ".yarn/releases/x.cjs", "bunfig.toml", ".pnpmfile.mjs"],
      ...["sub/.vscode/tasks.json", "sub/.envrc", "sub/repository/.git/config"],
      ...["sub/repository/.git/commondir", "sub/repository/.git/hooks/pre-commit"],
    ];
    const plant = `mkdir -p "$(dirname $p)"; echo PLANTED >> $p; echo PLANTED > mine; mv -f mine $p; rm -f mine`;
    const { output } = await run(
      place,
      `for p in ${paths.join(" ")}; do { ${plant}; } 2>/dev/null; ! grep -qs PLANTED $p || echo "$p"; done`,
    );
    expect(output).toBe("");
    const planted = paths.filter((path) => {
      const full = join(place.workspace, path);
      return existsSync(full) && readFileSync(full, "utf8").includes("PLANTED");
    });
    expect(planted).toEqual([]);
  });

  test.each(["AGENTS.md", ".github/workflows/ci.yml", ".gitattributes", "opencode.json"])(
    "cannot change %s when it is there",
    async (path) => {
      const full = join(place.workspace, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, "mine\n");
      await run(place, `echo PLANTED >> ${path}; echo PLANTED > p; mv -f p ${path}; rm -f p ${path}`);
      expect(readFileSync(full, "utf8")).toBe("mine\n");
      rmSync(join(place.workspace, path.split("/")[0] ?? ""), { recursive: true });
    },
  );

  test("cannot redirect git elsewhere, and git works outside while a command runs", async () => {
    const evil = `mkdir e && git init -q --bare e && git config -f e/config core.fsmonitor 'touch ../escaped'`;
    const wait = "touch started; until [ -e go ]; do sleep 0.05; done; rm -rf go started e";
    const running = run(place, `${evil}; echo ../e > .git/commondir; ${wait}`);
    const started = join(place.workspace, "started");
    await expect.poll(() => existsSync(started)).toBe(true);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: place.workspace, encoding: "utf8" }).trim();
    expect(git("rev-parse", "--path-format=absolute", "--git-common-dir")).toBe(
      join(place.workspace, ".git"),
    );
    git("status");
    writeFileSync(join(place.workspace, "go"), "");
    expect((await running).code).toBe(0);
    expect(existsSync(join(place.root, "escaped"))).toBe(false);
    expect(existsSync(join(place.workspace, ".git/commondir"))).toBe(false);
  });

  test("cannot exchange the repository for another", async () => {
    expect((await run(place, "mv .git .old && git init -q .")).code).not.toBe(0);
    expect(existsSync(join(place.workspace, ".old"))).toBe(false);
  });

  test("cannot read what is secret", async () => {
    const { code, output } = await run(place, "cat ../secret/key.txt; ls -A ../secret; cat ../state/*");
    expect(output).not.toContain("CANARY");
    expect(code).not.toBe(0);
  });

  test("is told that it cannot write in the program's own folders, which are hidden from it", async () => {
    const { output } = await run(
      place,
      "for f in secret state; do echo x > ../$f/new && echo SAVED; done; true",
    );
    expect(output).not.toContain("SAVED");
    expect(output.match(/secret\/new|state\/new/g) ?? []).toEqual(["secret/new", "state/new"]);
  });

  test("cannot read the secrets of a home folder, by one table with the tools", async () => {
    const home = mkdtempSync(join(realpathSync(tmpdir()), "lh-home-"));
    vi.stubEnv("HOME", home);
    const paths = [
      ...[".pgpass", ".vault-token", ".bash_history", ".psql_history", ".config/rclone/rclone.conf"],
      ...[".config/sops/age/keys.txt", ".env", "server.pem", "id_rsa", ".ssh/id_x", ".kube/config"],
    ];
    for (const path of paths) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), `CANARY of ${path}\n`);
    }
    mkdirSync(join(home, ".pyenv"));
    writeFileSync(join(home, ".pyenv", "version"), "open\n");
    writeFileSync(join(home, "notes.txt"), "CANARY of notes.txt\n");
    const { output } = await run(place, `cd ${home}; cat .pyenv/version notes.txt ${paths.join(" ")}`);
    vi.unstubAllEnvs();
    expect(output).toMatch(/^open/);
    expect(output).not.toContain("CANARY of");
    expect(paths.filter((path) => secretName(path) === undefined)).toEqual([]);
  });

  const calls: readonly (readonly [string, string, string])[] = [
    ["bash", "/dev/tcp", 'exec 3<>"/dev/tcp/127.0.0.1/PORT" && cat <&3'],
    ["curl", "curl", "curl -sS -m 5 http://127.0.0.1:PORT/"],
    [
      "curl",
      "curl without proxies",
      "env -i /usr/bin/env curl --noproxy '*' -sS -m 5 http://127.0.0.1:PORT/",
    ],
    ["wget", "wget", "wget -q -T 5 -t 1 -O - http://127.0.0.1:PORT/"],
    ["nc", "nc", "nc -w 3 127.0.0.1 PORT </dev/null"],
    [
      "ssh",
      "ssh",
      "ssh -o BatchMode=yes -o ConnectTimeout=3 -o StrictHostKeyChecking=no -p PORT 127.0.0.1 true",
    ],
    ["git", "git", "git ls-remote http://127.0.0.1:PORT/x.git"],
    [
      "node",
      "node",
      `node -e 'require("net").connect(PORT,"127.0.0.1").on("data",()=>process.exit(0)).on("error",()=>process.exit(7))'`,
    ],
    ["getent", "a name", "getent hosts example.com"],
  ];
  for (const [program, title, command] of calls) {
    test.skipIf(!has(program))(
      `cannot reach anything with ${title}${has(program) ? "" : ` (skipped: ${program} is not installed)`}`,
      async () => {
        const before = connections;
        const { code } = await run(place, command.replaceAll("PORT", String(port)));
        expect(code).not.toBe(0);
        expect(connections).toBe(before);
      },
    );
  }

  test("the same call reaches the server from outside, so that the tests above can fail", async () => {
    const child = spawn("bash", ["-c", `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`]);
    let text = "";
    child.stdout.on("data", (piece) => (text += String(piece)));
    await new Promise((resolve) => child.once("close", resolve));
    expect(text).toBe("reached\n");
  });

  test.each([
    ["files of the workspace", "mkdir -p src && echo x > src/a.ts && sed -i s/x/y/ src/a.ts && rm src/a.ts"],
    ["temporary files", 'echo x > "$TMPDIR/x" && f=$(mktemp) && rm "$f"'],
    [
      "a commit",
      'echo hi > c.txt && git add -A && git -c user.name=a -c user.email=a@b commit -qm made && git status --short && test -z "$(git status --porcelain)"',
    ],
    ["a link inside the workspace", "echo x > t.txt && ln -sf t.txt l.txt && echo y > l.txt"],
  ])("may write %s", async (_title, command) => {
    expect(await run(place, command)).toEqual({ code: 0, output: "" });
  });

  test("passes the command unchanged and returns its exit code", async () => {
    const command = `printf '%s|' "a'b" 'c"d' '$HOME' "\\\\" é; exit 7`;
    expect(await run(place, command)).toEqual({ code: 7, output: `a'b|c"d|$HOME|\\|é|` });
    expect((await run(place, "env")).output).not.toMatch(/LOCALHARNESS_COMMAND|_proxy=/i);
  });

  test.each([
    [
      "write a setting of the kernel",
      'p=$(cat /proc/sys/kernel/core_pattern); echo "$p" > /proc/sys/kernel/core_pattern',
    ],
    ["write any file of /proc/sys", "find /proc/sys -type f -writable 2>/dev/null | grep -q ."],
    ["write to /sys", "find /sys -type f -writable 2>/dev/null | grep -q ."],
    ["trigger a key of the system", "echo h > /proc/sysrq-trigger"],
    ["have a capability", "grep -Eq 'Cap(Prm|Eff|Bnd|Amb|Inh):.*[1-9a-f]' /proc/self/status"],
    ["mount", "mount -t tmpfs none /mnt"],
    ["write through a mount of its own", "mount -o remount,rw /sys"],
    ["change the root", "chroot / true"],
    ["make a user namespace", "unshare -U true"],
    ["make a mount namespace", "unshare -m true"],
    ["see a process from outside", `test -e /proc/${process.pid}/exe && kill -0 ${process.pid}`],
  ])("cannot %s", async (_title, command) => {
    expect((await run(place, command)).code).not.toBe(0);
  });

  test("cannot reach an abstract socket, and shares no memory with programs outside", async () => {
    const name = `lh-sandbox-${process.pid}`;
    const abstract = createServer((socket) => socket.end("reached\n"));
    await new Promise<void>((resolve) => abstract.listen(`\0${name}`, resolve));
    const { code, output } = await run(place, `socat -u ABSTRACT-CONNECT:${name} - </dev/null`);
    abstract.close();
    expect(code).not.toBe(0);
    expect(output).not.toContain("reached");
    const { output: space } = await run(place, "readlink /proc/self/ns/ipc");
    expect(space.trim()).not.toBe(readlinkSync("/proc/self/ns/ipc"));
  });

  test.skipIf(!has("python3") || !has("socat"))(
    "sends nothing to a datagram socket outside, and has no keyring",
    async () => {
      const path = join(place.root, "datagrams");
      const received = join(place.root, "received");
      const listener = spawn("socat", ["-u", `UNIX-RECV:${path}`, `CREATE:${received}`]);
      await expect.poll(() => existsSync(path)).toBe(true);
      const pair = `import socket,sys
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    try:
        one, other = socket.socketpair(socket.AF_UNIX, kind)
        if kind in (socket.SOCK_DGRAM, socket.SOCK_RAW): one.connect(sys.argv[1])
        one.sendto(b"reached", sys.argv[1])
    except OSError: pass`;
      const send = `python3 -c '${pair}' ${path}`;
      await run(place, send);
      const call = process.arch === "arm64" ? 219 : 250;
      const keyring = `python3 -c "import ctypes; print(ctypes.CDLL(None).syscall(${call}, 0, -3, 0))"`;
      expect((await run(place, keyring)).output).toBe("-1\n");
      expect(existsSync(received) ? readFileSync(received, "utf8") : "").toBe("");
      execFileSync("sh", ["-c", send]);
      await expect.poll(() => readFileSync(received, "utf8")).toContain("reached");
      listener.kill();
    },
  );

  test("ends everything that it has started", async () => {
    const mark = `sleep 1${process.pid}`;
    await run(place, `(setsid env -i ${mark} >/dev/null 2>&1 &); true`);
    const listed = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(listed.split("\n").filter((line) => line.trim() === mark)).toEqual([]);
  });

  test("leaves nothing behind in the workspace", () => {
    const protectedThere = readdirSync(place.workspace).filter(
      (name) => name.startsWith(".") && name !== ".git",
    );
    expect(readdirSync(join(place.workspace, ".git"))).not.toContain("commondir");
    expect(protectedThere).toEqual([]);
    const records = join(place.root, "state", "sandbox");
    const recorded = readdirSync(records).map((name) =>
      JSON.parse(readFileSync(join(records, name), "utf8")),
    );
    expect(recorded).toEqual([expect.objectContaining({ paths: [] })]);
  });
});

/** Checks the completions with the shells that are installed: the lines that a person gets with the Tab key. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { hangMs } from "./measures.ts";
import { hasScript } from "./run-in-terminal.ts";
import { makePlace, type Place, run } from "./run-program.ts";
import { spawnInTerminal } from "./spawn-in-terminal.ts";

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "true"]);
    return true;
  } catch {
    return false;
  }
}

/** Returns a place with the script of a shell, two folders and a file. */
async function placeFor(shell: string): Promise<Place> {
  const place = makePlace({ "stories one.json": "{}" });
  mkdirSync(join(place.workspace, "folder one"));
  const { stdout, code } = await run(["completions", shell], { place });
  expect(code).toBe(0);
  writeFileSync(join(place.home, "script"), stdout);
  return place;
}

interface TypedShell {
  /** Types keys and Enter, and returns the arguments that the program got. */
  type(keys: string): Promise<string>;
}

/** Opens a shell in a terminal, in which the program prints its arguments. */
async function openShell(shell: "bash" | "zsh"): Promise<TypedShell> {
  const place = await placeFor(shell);
  const start = shell === "bash" ? "bash --norc --noprofile -i" : "zsh -f -i";
  const child = spawnInTerminal(start, place, { TERM: "dumb", PS1: "ready> " });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (piece: string) => {
    text += piece;
  });
  const send = async (keys: string, wanted: RegExp): Promise<string> => {
    text = "";
    child.stdin.write(`${keys}\n`);
    for (const began = performance.now(); ; await sleep(5)) {
      const [, found] = wanted.exec(text) ?? [];
      if (found !== undefined) return found;
      if (performance.now() - began > hangMs) throw new Error(`no ${wanted} in ${JSON.stringify(text)}`);
    }
  };
  const prepare = shell === "zsh" ? "autoload -U compinit; compinit -u -D; " : "";
  const print = `localharness() { printf 'got:%s;' "$@"; echo end; }`;
  await send(`${prepare}source ../home/script; ${print}; echo load''ed`, /(loaded)\r?\n[\s\S]*ready> /);
  return {
    async type(keys) {
      const got = await send(keys, /(got:[^\r\n]*;)end[\s\S]*ready> /);
      return got.replaceAll("got:", "").replace(/;$/, "");
    },
  };
}

const lines: readonly (readonly [keys: string, got: string])[] = [
  ["localharness sess\tren\t", "sessions;rename"],
  ["localharness --mode pl\t", "--mode;plan"],
  ["localharness --mode=acc\t", "--mode=accept-edits"],
  ["localharness -p --provider oll\t hello", "-p;--provider;ollama;hello"],
  ["localharness --tools mini\t", "--tools;minimal"],
  ["localharness config set them\thigh-\t", "config;set;theme;high-contrast"],
  ["localharness sessions export 1 --format ht\t", "sessions;export;1;--format;html"],
  ["localharness --workspace . sessions li\t", "--workspace;.;sessions;list"],
  ["localharness loop stor\t", "loop;stories one.json"],
  ["localharness --workspace fol\t", "--workspace;folder one"],
  ["localharness audit --den\t", "audit;--denied"],
];

for (const shell of ["bash", "zsh"] as const) {
  test.skipIf(!hasScript() || !isInstalled(shell))(
    `${shell} completes commands, options and values`,
    async () => {
      const opened = await openShell(shell);
      for (const [keys, got] of lines) {
        // zsh takes the slash of a folder away again.
        expect((await opened.type(keys)).replace(/\/$/, ""), keys).toBe(got);
      }
    },
  );
}

describe.skipIf(!isInstalled("fish"))("fish", () => {
  const completed = async (line: string) => {
    const place = await placeFor("fish");
    const options = {
      cwd: place.workspace,
      env: { ...process.env, HOME: place.home },
      encoding: "utf8",
    } as const;
    const out = execFileSync(
      "fish",
      ["--no-config", "-c", `source ${place.home}/script; complete -C '${line}'`],
      options,
    );
    return out
      .split("\n")
      .map((row) => row.split("\t")[0])
      .filter((word) => word !== "");
  };

  test.each([
    ["localharness sess", ["sessions"]],
    ["localharness sessions ", ["delete", "export", "list", "rename", "search", "show", "stats"]],
    ["localharness --mode ", ["accept-edits", "auto", "bypass", "default", "plan"]],
    ["localharness -p --tools ", ["all", "minimal", "standard"]],
    ["localharness config set them", ["theme"]],
    ["localharness config set theme d", ["dark"]],
    ["localharness audit --den", ["--denied"]],
    ["localharness loop stor", ["stories one.json"]],
    ["localharness trust add fol", ["folder one/"]],
  ])("completes %j", async (line, words) => {
    expect((await completed(line)).toSorted()).toEqual(words);
  });
});

test("another shell is refused with the ones that there are", async () => {
  expect(await run(["completions", "tcsh"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("bash, zsh, fish"),
  });
  expect(await run(["completions"])).toMatchObject({ code: 2 });
});

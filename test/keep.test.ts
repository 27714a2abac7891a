/** Mode `auto` runs a command that removes files unasked if undo brings them back, and asks if it would not. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();
const isHere = ["bwrap", "socat"].every((name) =>
  (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(join(folder, name))),
);

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** Runs a command in mode `auto`, in which nobody can be asked. Returns what the model was told. */
function inAuto(place: Place, command: string): Promise<string> {
  return told(place, { name: "bash", arguments: { command } }, ["--sandbox", "require", "--mode", "auto"]);
}

async function told(place: Place, call: Call, options: readonly string[]): Promise<string> {
  server.use({ turns: [{ calls: [call] }, { text: "Done." }] });
  const ended = await run(["-p", ...argumentsFor(server), ...options, "go"], { place });
  expect(ended.stderr).not.toMatch(/internal/);
  return JSON.stringify(server.chats.at(-1)?.body);
}

describe.skipIf(!isHere)(
  `in the sandbox${isHere ? "" : " (skipped: bwrap and socat are not installed)"}`,
  () => {
    test("a program behind a variable removes a folder, and undo brings it back", async () => {
      const place = makePlace({ "old/a.txt": "one\n", "old/in/b.txt": "two\n", ".gitignore": "*.log\n" });
      await inAuto(place, "c=rm; $c -rf old");
      expect(existsSync(join(place.workspace, "old"))).toBe(false);
      const undone = await run(["undo"], { place });
      expect(undone.code, undone.stderr).toBe(0);
      expect(readFileSync(join(place.workspace, "old/in/b.txt"), "utf8")).toBe("two\n");
      expect(existsSync(join(place.workspace, "old/a.txt"))).toBe(true);
    });

    test("git and patch overwrite files that undo brings back, and no ignored ones", async () => {
      const place = makePlace({
        "a.txt": "one\n",
        "b.txt": "two\n",
        "notes.log": "mine\n",
        ".gitignore": "*.log\n",
      });
      const git = (...words: string[]) => execFileSync("git", words, { cwd: place.workspace });
      git("init", "-q", "-b", "main");
      git("add", ".");
      git("-c", "user.name=a", "-c", "user.email=a@a", "commit", "-qm", "one");
      const text = (name: string) => readFileSync(join(place.workspace, name), "utf8");
      writeFileSync(join(place.workspace, "a.txt"), "changed\n");
      await inAuto(place, "git reset -q --hard");
      expect(text("a.txt")).toBe("one\n");
      const change = (name: string, from: string) =>
        `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${from}\n+new\n`;
      await inAuto(place, `git apply <<'EOF'\n${change("b.txt", "two")}EOF`);
      expect(text("b.txt")).toBe("new\n");
      const told = await inAuto(place, `git apply <<'EOF'\n${change("notes.log", "mine")}EOF`);
      expect(told).toMatch(/undo has no copy|permission/);
      expect(text("notes.log")).toBe("mine\n");
      expect((await run(["undo"], { place })).stdout).toContain("put back    b.txt (+1 -1)");
      expect(text("b.txt")).toBe("two\n");
    });

    test("a file that git ignores is asked about, and stays without an answer", async () => {
      const place = makePlace({ "old/a.txt": "one\n", "old/notes.log": "mine\n", ".gitignore": "*.log\n" });
      const told = await inAuto(place, "c=rm; $c -rf old");
      expect(existsSync(join(place.workspace, "old/notes.log"))).toBe(true);
      expect(told).toMatch(/undo has no copy|permission/);
    });

    test("the kept content of a file that a rule denies is nowhere to be read, and undo writes it back", async () => {
      const marker = `only-for-me-${randomUUID()}`;
      const place = makePlace({ "mine.txt": `${marker}\n`, "empty.sh": ": > mine.txt\n" });
      expect(
        (await run(["policy", "add", "deny", "--path", "mine.txt", "--access", "read"], { place })).code,
      ).toBe(0);
      const state = join(place.home, ".local", "state", "localharness");
      const confined = ["--sandbox", "require", "--mode", "bypass"];
      const bash = (command: string) => ({ name: "bash", arguments: { command } });
      const said = [await inAuto(place, "echo x > made.txt")];
      const snapshots = join(state, "snapshots");
      const packs = readdirSync(snapshots).filter((name) => name.startsWith("pack-"));
      const kept = packs.map((name) => readFileSync(join(snapshots, name), "utf8"));
      expect(kept.join("")).toContain(marker);
      expect(packs.map((name) => statSync(join(snapshots, name)).mode & 0o777)).toEqual(
        packs.map(() => 0o600),
      );
      const probe = `cat mine.txt; cat ${snapshots}/*; grep -rs ${marker.slice(0, 12)} ${place.home} /proc/self/root${place.home}; echo ended`;
      writeFileSync(join(place.workspace, "probe.sh"), probe);
      said.push(await told(place, bash("sh probe.sh"), confined));
      for (const name of packs) {
        const read = { name: "read_file", arguments: { path: join(snapshots, name) } };
        said.push(await told(place, read, confined));
      }
      expect(said[1]).toMatch(/(?:No such file or directory|Permission denied)[\s\S]*snapshots[\s\S]*ended/);
      // Without the sandbox the command reaches the file, as the person has chosen.
      said.push(await told(place, bash("sh empty.sh"), ["--sandbox", "off", "--mode", "bypass"]));
      expect(readFileSync(join(place.workspace, "mine.txt"), "utf8")).toBe("");
      const undone = await run(["undo"], { place });
      expect(readFileSync(join(place.workspace, "mine.txt"), "utf8")).toBe(`${marker}\n`);
      expect(undone.stdout).not.toContain(marker);
      expect(said.join("\n")).not.toContain(marker);
    });
  },
);

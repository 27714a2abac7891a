/** Checks the sessions of a folder that was renamed or moved, with the real program. */
import { existsSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Ended, makePlace, type Place, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel();

/** Returns the program's place in another folder, with the same home. */
const at = (place: Place, workspace: string): Place => ({ ...place, workspace });

const say = (place: Place, message: string, ...more: string[]): Promise<Ended> =>
  run(["-p", ...argumentsFor(server), ...more, message], { place });
const sessions = (place: Place, ...args: string[]): Promise<Ended> => run(["sessions", ...args], { place });

/** Returns the messages of the person and the model in the last request. */
function told(): readonly unknown[] {
  const { messages } = (server.chats.at(-1)?.body ?? { messages: [] }) as {
    messages: { role: string; content: unknown }[];
  };
  return messages.filter(({ role }) => role !== "system").map(({ content }) => content);
}

async function idOf(place: Place): Promise<string> {
  const { stdout } = await sessions(place, "list", "--json");
  return JSON.parse(stdout.split("\n")[0] ?? "").id;
}

describe("a folder that was renamed", () => {
  test("has its sessions by their id, and `sessions move` takes them along", async () => {
    server.use({ turns: ["Noted.", "Green.", "Green too.", "Still."].map((text) => ({ text })) });
    const place = makePlace();
    const old = realpathSync(place.workspace);
    await say(place, "the cup is green");
    const id = await idOf(place);
    const next = at(place, `${old}-renamed`);
    renameSync(old, next.workspace);

    const none = await say(next, "x", "--continue");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain(`${old}: 1 session, the newest ${id}`);
    expect(none.stderr).toContain("localharness sessions move OLD .");

    const resumed = await say(next, "which cup?", "--resume", id.slice(0, 12));
    expect(resumed.stdout).toBe("Green.\n");
    expect(resumed.stderr.replaceAll(/\s+/g, " ")).toContain(
      `a session of ${old}, which is gone; it runs in ${next.workspace} now`,
    );
    expect(told().slice(0, 2)).toEqual(["the cup is green", "Noted."]);
    expect(told()[2]).toContain(
      `The workspace of this session is now ${next.workspace}. It was ${old} before`,
    );
    const shown = await sessions(next, "show", id);
    expect(shown.stdout).toContain("which cup?");
    expect(shown.stderr.replaceAll(/\s+/g, " ")).toContain(`a session of ${old}, which is gone`);
    const kept = await sessions(next, "delete", id);
    expect(kept.stderr).toContain("is a session of another folder");

    expect(await sessions(next, "move", old, ".")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("moved 1 session"),
    });
    expect(await idOf(next)).toBe(id);
    expect((await sessions(next, "list", "--all")).stdout).toContain(`${next.workspace}\n`);
    expect((await say(next, "and now?", "--continue")).stdout).toBe("Green too.\n");
    const again = await sessions(next, "move", old, ".");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("has no sessions") });

    // A second rename is the same.
    const third = at(place, `${old}-again`);
    renameSync(next.workspace, third.workspace);
    expect((await sessions(third, "move", next.workspace, third.workspace)).code).toBe(0);
    expect((await say(third, "again?", "--continue")).stdout).toBe("Still.\n");
  });

  test("takes along the undo data, and the sessions of the folders in it, also through a link", async () => {
    const write = { name: "write_file", arguments: { path: "tea.txt", content: "green\n" } };
    server.use({ turns: [{ calls: [write] }, { text: "Wrote it." }, { text: "Hello." }] });
    const place = makePlace();
    const parent = join(realpathSync(dirname(place.workspace)), "parent");
    const inner = at(place, join(parent, "inner"));
    mkdirSync(inner.workspace, { recursive: true });
    writeFileSync(join(inner.workspace, "tea.txt"), "black\n");
    await say(inner, "write it", "--trust", "--mode", "accept-edits");
    await say(at(place, parent), "hello", "--trust");
    const moved = join(dirname(parent), "moved");
    renameSync(parent, moved);
    symlinkSync(moved, parent);
    const next = at(place, join(moved, "inner"));
    expect((await sessions(next, "move", parent, moved)).stderr).toContain("moved 2 sessions");
    expect((await sessions(at(place, moved), "list")).stdout).toContain("hello");
    expect((await sessions(next, "list")).stdout).toContain("write it");
    expect((await run(["undo"], { place: next })).stdout).toContain("tea.txt");
    expect(existsSync(join(next.workspace, "tea.txt"))).toBe(true);
  });

  test("is not trusted because of its old name", async () => {
    server.use({ turns: [{ text: "Noted." }] });
    const place = makePlace({}, false);
    const old = realpathSync(place.workspace);
    expect((await run(["trust", "add", "."], { place })).stderr).not.toContain("usage");
    await say(place, "hello");
    const next = at(place, `${old}-renamed`);
    renameSync(old, next.workspace);
    await sessions(next, "move", old, ".");
    expect((await run(["trust", "list"], { place: next })).stdout).not.toContain(next.workspace);
  });
});

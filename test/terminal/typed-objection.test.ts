/**
 * Checks that an objection typed at a question never allows the call, whatever key follows after whatever pause. Each key
 * is tested with all pauses in a separate program; the programs run in parallel.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFakeServer } from "../../packages/models/test/fake-server/index.ts";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace } from "../run-program.ts";
import { type Emulated, enterKey, openTerminal } from "./open-terminal.ts";

const pausesMs = [0, 200, 350, 500, 1_000, 2_000];
/** One objection for each pause; some begin with a key that allows. */
const objections = [
  "no, do not touch that file",
  "1 file only, and not this one",
  "3. no",
  "no, 1 or 2 others",
  "いいえ、1つだけ",
  "please use the other file",
];
/** Keys that allow, and the text that they add to a note. */
const allowing: readonly (readonly [what: string, keys: readonly string[], written: string])[] = [
  ["Enter", ["enter"], ""],
  ["an arrow and Enter", ["down", "enter"], ""],
  ["1", ["1"], "1"],
  ["2", ["2"], "2"],
  ["3", ["3"], "3"],
];
const changed = (turn: number) => (turn === 0 ? "changed\n" : `changed ${turn}\n`);
/** Each turn writes another content, because a write that changes nothing is not asked about. */
const change = (turn: number) => ({
  name: "write_file",
  arguments: { path: "kept.txt", content: changed(turn) },
});

interface Talk {
  readonly terminal: Emulated;
  /** Returns the text of the file. */
  file(): string;
  /** Returns how many requests the model got. */
  asked(): number;
  /** Returns the last message to the model. */
  told(): string;
}

/** Opens a program whose model changes the file in every turn. */
async function open(turns: number): Promise<Talk> {
  const server = await startFakeServer({
    turns: Array.from({ length: turns }, (_, turn) => [
      { calls: [change(turn)] },
      { text: `Heard ${turn}.` },
    ]).flat(),
  });
  onTestFinished(() => server.close());
  const place = makePlace({ "kept.txt": "as it was\n" });
  return {
    terminal: await openTerminal({ server, place }),
    file: () => readFileSync(join(place.workspace, "kept.txt"), "utf8"),
    asked: () => server.chats.length,
    told: () => JSON.stringify(server.chats.at(-1)?.body),
  };
}

/** Joins the lines of the screen, because wide characters change where lines wrap. */
const onOneLine = (screen: string) => screen.replaceAll(/\s+/g, " ");

describe.skipIf(!hasScript())("typed at a question (needs util-linux script)", () => {
  test("an objection is the note of a denial, whatever key comes after whatever pause", async () => {
    await Promise.all(allowing.map(([what, keys, written]) => objectWith(what, keys, written)));
  }, 120_000);

  async function objectWith(what: string, keys: readonly string[], written: string): Promise<void> {
    const { terminal, file, told } = await open(pausesMs.length);
    for (const [turn, pause] of pausesMs.entries()) {
      const objection = objections[turn] ?? "";
      const row = `${what} ${pause} ms after ${objection}`;
      terminal.type("go\r");
      await terminal.waitFor("[1] Allow Once");
      terminal.type(objection);
      if (pause > 0) {
        await terminal.waitFor("Denied with this note when you press Enter:");
        await terminal.until(`note ${objection}`, () => onOneLine(terminal.screen()).includes(objection));
        await sleep(pause);
      }
      terminal.press(...keys);
      const note = objection + written;
      if (written !== "") {
        await terminal.until(`note ${note}`, () => onOneLine(terminal.screen()).includes(note));
        expect(file(), row).toBe("as it was\n");
        terminal.press("enter");
      }
      await terminal.waitFor(`Heard ${turn}.`, 30_000);
      expect(file(), row).toBe("as it was\n");
      expect(told(), row).toContain("permission_denied");
      expect(told(), row).toContain(note);
    }
    terminal.close();
  }

  test("what was begun before the question stays in the editor, with its Enter", async () => {
    await Promise.all(
      allowing.map(async ([what, keys, written]) => {
        const { terminal, file, told, asked } = await open(2);
        for (const [turn, pause] of [350, 1_000].entries()) {
          const row = `${what} after ${pause} ms`;
          // In one piece, so that even on a slow machine the question cannot come before the message.
          terminal.type(`go${enterKey}message ${turn}`);
          await terminal.waitFor(`Not sent yet: message ${turn}`);
          await sleep(pause);
          const before = asked();
          terminal.press(...keys);
          if (written !== "") {
            await terminal.waitFor(`Not sent yet: message ${turn}${written}`);
            terminal.press("enter");
          }
          await terminal.waitFor(`queued: message ${turn}${written}`);
          expect(asked(), row).toBe(before);
          expect(file(), row).toBe("as it was\n");
          await terminal.waitFor("[1] Allow Once");
          terminal.press("4");
          await terminal.waitFor("What should the model do instead?");
          terminal.press("enter");
          await terminal.waitFor(`Heard ${turn}.`, 30_000);
          expect(file(), row).toBe("as it was\n");
          expect(told(), row).toContain(`message ${turn}${written}`);
        }
        terminal.close();
      }),
    );
  }, 120_000);

  test("Esc and Backspace cancel the note, and then a key allows", async () => {
    const { terminal, file } = await open(2);
    for (const [turn, back] of [["esc"], ["backspace", "backspace"]].entries()) {
      terminal.type("go\r");
      await terminal.waitFor("[1] Allow Once");
      terminal.type("no");
      await terminal.waitFor(/Enter:\s+> no/);
      terminal.press(...back);
      await terminal.waitFor("[1] Allow Once");
      expect(file()).toBe(turn === 0 ? "as it was\n" : "changed\n");
      terminal.press("1");
      await terminal.waitFor(`Heard ${turn}.`);
      expect(file()).toBe(changed(turn));
    }
    terminal.close();
  });

  test("a paste never allows, with marks or without", async () => {
    const { terminal, file, told } = await open(3);
    for (const [turn, paste] of [
      () => terminal.paste("1\n"),
      () => terminal.type("1\r"),
      () => terminal.type("\r1\r1"),
    ].entries()) {
      terminal.type("go\r");
      await terminal.waitFor("[1] Allow Once");
      paste();
      await terminal.waitFor(/Enter:\s+> +1/);
      await terminal.settled();
      expect(file()).toBe("as it was\n");
      terminal.press("enter");
      await terminal.waitFor(`Heard ${turn}.`);
      expect(file()).toBe("as it was\n");
      expect(told()).toContain("permission_denied");
    }
    terminal.close();
  });
});

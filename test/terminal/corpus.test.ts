/** Shows the corpus's hostile texts on the screen, if the corpus is there: as answers, results, questions and lists. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ScriptedTurn, startFakeServer } from "../../packages/models/test/fake-server/index.ts";
import { hangMs } from "../measures.ts";
import { hasScript } from "../run-in-terminal.ts";
import { makePlace, root } from "../run-program.ts";
import { leftIn } from "./left-in.ts";
import { openTerminal } from "./open-terminal.ts";

const folder = process.env["LOCALHARNESS_CORPUS"] ?? join(root, "../shared/corpus");
const path = join(folder, "attacks.jsonl");

interface Row {
  readonly id: string;
  readonly area: string;
  readonly arguments?: { readonly $rendered_text?: unknown };
}

function texts(): readonly (readonly [id: string, text: string])[] {
  const rows = readFileSync(path, "utf8").trim().split("\n");
  return rows
    .map((line) => JSON.parse(line) as Row)
    .filter(({ area }) => area === "terminal")
    .flatMap((row) => {
      const text = row.arguments?.$rendered_text;
      return typeof text === "string" ? [[row.id, text] as const] : [];
    });
}

test.skipIf(!hasScript() || !existsSync(path))("no text of the corpus controls the terminal", async () => {
  const all = texts();
  expect(all.length).toBeGreaterThan(5);
  const place = makePlace();
  const turns: ScriptedTurn[] = all.flatMap(([id, text]) => {
    writeFileSync(join(place.workspace, `${id}.txt`), `${text}\n`);
    const command = `echo '${text.replaceAll("\0", "").replaceAll("'", "")}'`;
    return [
      {
        text: `${text}\n`,
        calls: [
          { name: "read_file", arguments: { path: `${id}.txt` } },
          { name: "bash", arguments: { command } },
        ],
      },
      { text: `${id} is over.` },
    ];
  });
  const server = await startFakeServer({ turns });
  try {
    const terminal = await openTerminal({ server, place, rows: 50 });
    for (const [id, text] of all) {
      const began = performance.now();
      terminal.type(`next ${id}\r`);
      const over = `${id} is over.`;
      for (let questions = 0; questions < 4 && !terminal.screen().includes(over); questions += 1) {
        const news = new RegExp(`\\[1\\] Allow Once|${id} is over\\.`);
        const screen = await terminal.waitFor(news);
        if (screen.includes(over)) break;
        // A question must show invisible characters.
        const question = screen.slice(screen.lastIndexOf("Permission Request"));
        expect(question, id).not.toMatch(/[\u200b-\u200d\ufeff\u202a-\u202e\u2066-\u2069]/u);
        terminal.press("1");
        await terminal.until("next step", () => !terminal.screen().includes("[1] Allow Once"));
      }
      await terminal.waitFor(over);
      expect(performance.now() - began, `${id} of ${text.length} characters`).toBeLessThan(hangMs);
      expect(leftIn(terminal.bytes()), id).toBeUndefined();
    }
    terminal.close();
  } finally {
    await server.close();
  }
});

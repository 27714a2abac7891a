import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { borrowerKind } from "@localharness/store/lent/machines";
import { openRecordFile } from "@localharness/store/lent/record-file";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { afterEach, expect, test } from "vitest";
import { openPairing, sendCode } from "../../../src/elsewhere/lend/pairing.ts";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function pairing() {
  const folder = mkdtempSync(join(tmpdir(), "lh-pairing-"));
  const told: string[] = [];
  const clock = { now: 0 };
  const journal = createWriteJournal(folder);
  const { code, answer } = openPairing({
    borrowers: openRecordFile(folder, borrowerKind, journal, () => undefined),
    folder,
    tell: (text) => told.push(text),
    now: () => clock.now,
  });
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(
    () => server.close(),
    () => journal.close(),
  );
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (text: string) => sendCode(fetch, url, text, "box").catch((error: Error) => error.message);
  return { code, told, clock, send };
}

test("many wrong codes do not end a pairing; until a wait is over no code is compared", async () => {
  const { code, told, clock, send } = await pairing();
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    expect(await send("AAAAA-BBBBB")).toContain(`the code is wrong: wait ${seconds} s before the next try`);
    expect(await send(code)).toContain(`wait ${seconds} s before the next try, because`);
    clock.now += seconds * 1_000;
  }
  expect(told).toHaveLength(8);
  expect(told[2]).toBe("127.0.0.1 has sent a wrong code (3 so far) and has to wait 4 s before the next try");
  expect(await send(code)).toMatch(/^[\w-]{43}$/);
  expect(await send(code)).toContain("no pairing is open");
});

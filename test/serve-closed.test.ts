/** Checks that a message is not lost when it is sent while the server has not opened the session again. */

import type { SessionEvent } from "@localharness/protocol";
import { attach } from "@localharness/server/client";
import { expect, test } from "vitest";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { serve } from "./served.ts";

const local = {
  editDraft: () => Promise.reject(new Error("not here")),
  readClipboardImage: () => Promise.reject(new Error("not here")),
  runInTerminal: () => Promise.reject(new Error("not here")),
};

test("a message to a session that the server has just closed opens it and is answered", async () => {
  const model = await serveModel();
  model.use({ turns: [{ text: "First." }, { text: "Second." }] });
  await using served = await serve(argumentsFor(model));
  const { id } = await served.open();
  const place = { address: served.address, key: served.token, name: "the test" };
  const { link, close } = await attach(place, { kind: "named", name: id }, local);
  const events: SessionEvent[] = [];
  link.subscribe((event) => events.push(event));
  const answers = () => events.flatMap((event) => (event.type === "turn-end" ? [event.reason] : []));
  link.send({ type: "user-message", content: "one" });
  await expect.poll(answers).toEqual(["done"]);
  expect((await served.request("POST", `/api/sessions/${id}/close`, {})).status).toBeLessThan(300);
  link.send({ type: "user-message", content: "two" });
  await expect.poll(answers).toEqual(["done", "done"]);
  const texts = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  expect(texts.join("")).toBe("First.Second.");
  close();
});

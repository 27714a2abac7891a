/** Checks images in a session's file: stored byte for byte, checked on reading, only named in exports. */
import { appendFileSync } from "node:fs";
import { type EventBody, type ImageContent, type SessionEvent, textWithImages } from "@localharness/protocol";
import { expect, test } from "vitest";
import type { Masking } from "../../src/sessions/split-secret.ts";
import { fileOf, fold, linesOf, numbered, openSessions, start } from "./place.ts";

const gif: ImageContent = { mediaType: "image/gif", data: "R0lGODlhAQABAAAAACw=", name: '"><b>key-1234.gif' };

function write(masking?: Masking) {
  const opened = openSessions(undefined, masking);
  const writer = opened.sessions.startSession("s1");
  const bodies: readonly EventBody[] = [
    start,
    { type: "turn-start" },
    { type: "user-message", content: "What is it?", from: "person", images: [gif] },
    { type: "text-delta", text: "A dot." },
    { type: "model-end", stopReason: "stop" },
    { type: "turn-end", reason: "done", denied: 0 },
  ];
  const events = numbered("s1", bodies);
  for (const event of events) writer.append(event);
  writer.close();
  return { sessions: opened.sessions, events };
}

function imagesOf(events: readonly SessionEvent[]) {
  return fold(events).messages.flatMap((message) => (message.role === "user" ? (message.images ?? []) : []));
}

test("are kept with their message", async () => {
  const { sessions, events } = write();
  expect(fold(await sessions.readEvents("s1"))).toEqual(fold(events));
  expect(imagesOf(await sessions.readEvents("s1"))).toEqual([gif]);
});

test("keep their data and lose a known key in their name", async () => {
  const { sessions } = write({
    mask: (text) => text.replaceAll("key-1234", "***").replaceAll("AAAA", "***"),
    secrets: ["key-1234", "AAAA"],
  });
  expect(imagesOf(await sessions.readEvents("s1"))).toEqual([{ ...gif, name: '"><b>***.gif' }]);
});

test("that are none are not read from a file, and the loss is told", async () => {
  const { sessions } = write();
  const line = linesOf(sessions, "s1").find((one) => one.includes("user-message")) ?? "";
  const forged = line.replace(/"seq":\d+,("first":\d+,)?/, '"seq":7,').replace("R0lGOD", "PHN2Zz");
  appendFileSync(fileOf(sessions, "s1"), `${forged}\n`);
  expect(imagesOf(await sessions.readEvents("s1"))).toEqual([gif]);
  const taken = await sessions.openSession("s1");
  taken.writer.close();
  expect(imagesOf(taken.events)).toEqual([gif]);
});

test("are named in exports; a page shows them without loading anything", async () => {
  const { sessions } = write();
  const line = textWithImages({ content: "", images: [gif] }).trim();
  expect(await sessions.exportText("s1", "markdown")).toContain(`What is it?\n${line}`);
  const json = JSON.parse(await sessions.exportText("s1", "json"));
  expect(json.messages[1].images).toEqual([{ mediaType: "image/gif", name: gif.name }]);
  const html = await sessions.exportText("s1", "html");
  expect(html).toContain(`src="data:image/gif;base64,${gif.data}"`);
  expect(html).toContain("img-src data:");
  expect(html).not.toContain("<b>");
});

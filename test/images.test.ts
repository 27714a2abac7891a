/** Checks images without a screen: `--image`, JSON lines, and a continued session. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace, run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const server = await serveModel([{ text: "A dot." }, { text: "Still a dot." }]);

const gif = "R0lGODlhAQABAAAAACw=";
const part = { type: "image_url", image_url: { url: `data:image/gif;base64,${gif}` } };

function placeWithImage() {
  const place = makePlace({ "text.gif": "no image" });
  writeFileSync(join(place.workspace, "dot.gif"), Buffer.from(gif, "base64"));
  return place;
}

/** Returns the messages of the model's last request, without the system prompt. */
function told(): readonly unknown[] {
  const { messages } = (server.chats.at(-1)?.body ?? { messages: [] }) as {
    messages: { role: string; content: unknown }[];
  };
  return messages.filter(({ role }) => role !== "system").map(({ content }) => content);
}

test("--image is sent with the message, and again when the session is continued", async () => {
  const place = placeWithImage();
  const wire = argumentsFor(server);
  expect((await run(["-p", ...wire, "--image", "dot.gif", "What is it?"], { place })).stdout).toBe(
    "A dot.\n",
  );
  const first = [{ type: "text", text: "What is it?" }, part];
  expect(told()).toEqual([first]);
  expect((await run(["-p", ...wire, "--continue", "Sure?"], { place })).stdout).toBe("Still a dot.\n");
  expect(told()).toEqual([first, "A dot.", "Sure?"]);
});

test.each([
  ["a file that is none", ["--image", "text.gif"], /text\.gif is not an image/],
  ["a file that is not there", ["--image", "gone.gif"], /no file gone\.gif/],
  ["a model that sees none", ["--model", "demo", "--image", "dot.gif"], /demo sees no images/],
])("%s: nothing is sent", async (_what, words, said) => {
  const place = placeWithImage();
  const before = server.chats.length;
  const wire = words.includes("demo") ? [] : [...argumentsFor(server)];
  const ended = await run(["-p", ...wire, ...words, "What is it?"], { place });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
  expect(server.chats.length).toBe(before);
});

test("a JSON line may have images; an invalid image, or a model without vision, gets an input-error", async () => {
  const say = (images: unknown) => JSON.stringify({ type: "user-message", content: "What is it?", images });
  const image = { mediaType: "image/gif", data: gif };
  const lines = [say([{ ...image, mediaType: "image/png" }]), say([image]), ""].join("\n");
  const wire = argumentsFor(server);
  const seen = await run(["--input", "stream-json", ...wire], { place: makePlace(), stdin: lines });
  expect(seen.stdout).toMatch(/"input-error".*is image\/gif by its first bytes/);
  expect(told()).toEqual([[{ type: "text", text: "What is it?" }, part]]);
  const blind = await run(["--input", "stream-json", "--model", "demo"], {
    place: makePlace(),
    stdin: lines,
  });
  expect(blind.stdout).toMatch(/"input-error".*the model sees no images/);
  expect(blind.stdout).not.toContain('user-message"');
});

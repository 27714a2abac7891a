/** Checks `localharness serve` with the real program: pairing, sessions, commands, questions, events, and its end. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { run } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { ask, type Served, serve, serverFile } from "./served.ts";

const model = await serveModel();
const wire = argumentsFor(model);

const say = (content: string): Command => ({ type: "user-message", content });
const write = (path: string) => ({ calls: [{ name: "write_file", arguments: { path, content: "x\n" } }] });

/** Returns the id of the question that waits in a session. */
async function question(served: Served, id: string): Promise<string> {
  const follower = served.follow({ session: id });
  const { request } = await follower.event("permission-request");
  follower.close();
  return request.requestId;
}

describe("pairing", () => {
  test("exchanges the code of the link once for a key, which ends with the token", async () => {
    await using served = await serve(wire);
    const pair = (code: string) => ask(`${served.address}/api/pair`, "POST", { code }, {});
    expect((await pair("wrong")).status).toBe(401);
    const { key } = (await pair(served.code)).json;
    expect((await pair(served.code)).status).toBe(401);
    const withKey = () =>
      ask(`${served.address}/api/hub`, "GET", undefined, { Authorization: `Bearer ${key}` });
    expect((await withKey()).status).toBe(200);

    const link = await run(["serve", "link"], { place: served.place });
    const [, code = ""] = /#pair=(\S+)/.exec(link.stdout) ?? [];
    const other = (await pair(code)).json.key;
    expect(other).not.toBe(key);

    const follower = served.follow({ key });
    await follower.until("rooms");
    await run(["serve", "token", "rotate"], { place: served.place });
    expect(await follower.closed).toMatchObject({ code: 4001 });
    expect((await withKey()).status).toBe(401);
    expect((await served.request("GET", "/api/hub")).status).toBe(401);
    const again = served.follow({ key });
    await expect(again.until("rooms")).rejects.toThrow("closed");
    const { token } = JSON.parse(readFileSync(serverFile(served.place), "utf8"));
    const fresh = await ask(`${served.address}/api/hub`, "GET", undefined, {
      Authorization: `Bearer ${token}`,
    });
    expect(fresh.status).toBe(200);
  });

  test("keeps the token in a file that only its owner can read, and tells no client of keys", async () => {
    const secret = "sk-secret-of-the-environment";
    await using served = await serve(wire, { env: { OPENAI_API_KEY: secret, HARNESS_API_KEY: secret } });
    expect(statSync(serverFile(served.place)).mode & 0o777).toBe(0o600);
    expect(served.token).toMatch(/^[\w-]{43}$/);
    model.use({
      turns: [
        { calls: [{ name: "bash", arguments: { command: "env; echo $OPENAI_API_KEY" } }] },
        { text: "ok" },
      ],
    });
    const { id } = await served.open();
    const follower = served.follow({ session: id });
    await served.send(id, say("go"));
    const { request } = await follower.event("permission-request");
    await served.send(id, { type: "permission-answer", requestId: request.requestId, answer: "once" });
    await follower.event("turn-end");
    const told = [
      JSON.stringify(follower.messages),
      ...(await Promise.all(
        ["describeStatus", "describeProgram", "listSettings", "listContext", "listModels"].map(
          async (method) => JSON.stringify(await served.host(id, method)),
        ),
      )),
      (await served.request("GET", "/api/hub")).text,
      (await served.request("POST", `/api/sessions/${id}/shell`, { command: "env" })).text,
      (await served.request("GET", `/api/sessions/${id}/export?format=json`)).text,
    ].join("\n");
    expect(told).not.toContain(secret);
    expect(told).not.toContain(served.token);
  });
});

describe("sessions", () => {
  test("run a turn, are listed, found, named, exported, closed, taken up and deleted", async () => {
    await using served = await serve(wire);
    model.use({ turns: [{ text: "Answer one." }, { text: "Answer two." }] });
    const { id } = await served.open();
    const follower = served.follow({ session: id });
    expect((await served.send(id, say("first"))).status).toBe(202);
    await follower.event("turn-end");
    const [saved] = (await served.request("GET", "/api/sessions?words=first")).json.saved;
    expect(saved).toMatchObject({ id, messages: 2 });
    expect((await served.request("GET", "/api/sessions?words=nothing")).json.saved).toEqual([]);
    await served.request("POST", `/api/sessions/${id}/name`, { name: "my name" });
    expect(await served.host(id, "readSessionName")).toBe("my name");
    for (const format of ["markdown", "json", "html"]) {
      expect((await served.request("GET", `/api/sessions/${id}/export?format=${format}`)).text).toContain(
        "Answer one.",
      );
    }
    expect((await served.request("DELETE", `/api/sessions/${id}`)).json.error).toMatch(/open: close it/);

    expect((await served.request("POST", `/api/sessions/${id}/close`, {})).status).toBe(200);
    await follower.until("closed");
    expect((await served.send(id, say("lost?"))).status).toBe(404);
    const opened = await Promise.all([1, 2, 3].map(() => served.open({ kind: "resume", id })));
    expect(opened.map((state) => state.id)).toEqual([id, id, id]);
    const again = served.follow({ session: id, after: 3, log: follower.log ?? "" });
    const first = await again.until("events");
    expect(first).toMatchObject({ whole: true, sharedTo: follower.events.at(-1)?.seq });
    expect(again.log).not.toBe(follower.log);
    await served.send(id, say("second"));
    await again.event("turn-end", ({ turnId }) => turnId === "turn-2");

    const message = again.events.find((event) => event.type === "user-message" && event.content === "second");
    const fork = await served.open({ kind: "fork", id, beforeSeq: message?.seq });
    expect(fork.id).not.toBe(id);
    await served.request("POST", `/api/sessions/${id}/close`, {});
    expect((await served.request("DELETE", `/api/sessions/${id}`)).status).toBe(200);
    expect((await served.request("POST", "/api/sessions", { kind: "resume", id })).status).toBe(409);
    const { open, saved: left } = (await served.request("GET", "/api/sessions")).json;
    expect(open.map((state: { id: string }) => state.id)).toEqual([fork.id]);
    expect(left.map((session: { id: string }) => session.id)).toEqual([fork.id]);
  });

  test("are listed to each client whole at first, then only those that change or are closed", async () => {
    await using served = await serve(wire);
    const [one, other] = [await served.open(), await served.open()];
    const follower = served.follow();
    const first = await follower.until("rooms", ({ whole }) => whole === true);
    expect(first.rooms.map(({ id }) => id).toSorted()).toEqual([one.id, other.id].toSorted());
    // The first change after the openings may still contain them.
    for (const mode of ["plan", "accept-edits"] as const) {
      await served.send(one.id, { type: "set-mode", mode });
      await follower.until("rooms", ({ rooms }) => rooms.some((room) => room.mode === mode));
    }
    const second = await follower.until("rooms", ({ rooms }) => rooms[0]?.mode === "accept-edits");
    expect(second.rooms.map(({ id }) => id)).toEqual([one.id]);
    await served.request("POST", `/api/sessions/${other.id}/close`, {});
    const last = await follower.until(
      "rooms",
      (change) => change.whole !== true && change.closed.includes(other.id),
    );
    expect(last.rooms).toEqual([]);
  });

  test("run at once, each with its own answer", async () => {
    await using served = await serve([...wire, "--sandbox", "off"]);
    const says = ["one", "two", "three"];
    model.use({
      turns: [],
      conversations: says.map((name) => ({
        says: name,
        turns: [{ text: `Answer to ${name}.`, everyMs: 5, deltaChars: 1 }],
      })),
    });
    const rooms = await Promise.all(says.map(() => served.open()));
    const followers = rooms.map(({ id }) => served.follow({ session: id }));
    await Promise.all(rooms.map(({ id }, at) => served.send(id, say(says[at] ?? ""))));
    await Promise.all(followers.map((follower) => follower.event("turn-end")));
    for (const [at, follower] of followers.entries()) {
      const text = follower.events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
      expect(text).toBe(`Answer to ${says[at]}.`);
    }
  });

  test("get the keys of the environment, the second and third as well", async () => {
    await using served = await serve(
      ["--model", "fake-model", "--provider", "openai", "--base-url", model.baseUrl],
      {
        env: { OPENAI_API_KEY: "the-key" },
      },
    );
    model.use({ turns: [{ text: "Yes." }], key: "the-key" });
    for (let count = 0; count < 3; count += 1) {
      const { id } = await served.open();
      const follower = served.follow({ session: id });
      await served.send(id, say("go"));
      expect(await follower.event("turn-end")).toMatchObject({ reason: "done" });
      follower.close();
    }
  });

  test("go on while nobody watches", async () => {
    await using served = await serve(wire);
    model.use({ turns: [{ text: "A long answer.", deltaChars: 1, everyMs: 20 }] });
    const { id } = await served.open();
    const follower = served.follow({ session: id });
    await served.send(id, say("go"));
    await follower.event("text-delta");
    follower.close();
    await follower.closed;
    const later = served.follow({
      session: id,
      after: follower.events.at(-1)?.seq ?? 0,
      log: follower.log ?? "",
    });
    expect(await later.event("turn-end")).toMatchObject({ reason: "done" });
    const text = [...follower.events, ...later.events].map((event) =>
      event.type === "text-delta" ? event.text : "",
    );
    expect(text.join("")).toBe("A long answer.");
  });

  test("an answer to a command that came twice has an effect once", async () => {
    await using served = await serve(wire);
    model.use({ turns: [{ text: "Once." }, { text: "Twice." }] });
    const { id } = await served.open();
    const follower = served.follow({ session: id });
    const key = { "Idempotency-Key": "a-key" };
    const replies = await Promise.all([served.send(id, say("go"), key), served.send(id, say("go"), key)]);
    expect(replies.map(({ status }) => status)).toEqual([202, 202]);
    await follower.event("turn-end");
    await served.send(id, say("go"), key);
    await served.send(id, { type: "set-mode", mode: "plan" });
    await follower.event("mode-changed");
    const messages = follower.events.filter(
      (event) => event.type === "user-message" && event.from === "person",
    );
    expect(messages).toHaveLength(1);
  });
});

describe("questions", () => {
  test("the first of two answers counts, and the others are told by whom", async () => {
    await using served = await serve(wire);
    model.use({ turns: [write("a.txt"), { text: "Done." }] });
    const { id } = await served.open();
    const followers = [served.follow({ session: id }), served.follow({ session: id })];
    await served.send(id, say("write"));
    const requestId = await question(served, id);
    const names = ["Firefox on Linux", "a\u001b[31m phone"];
    const replies = await Promise.all(
      (["once", "deny"] as const).map((answer, at) =>
        served.send(
          id,
          { type: "permission-answer", requestId, answer },
          {
            "Localharness-Client": encodeURIComponent(names[at] ?? ""),
          },
        ),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    const won = replies[0]?.status === 202 ? 0 : 1;
    expect(replies[1 - won]?.json.error).toMatch(/answered already, by /);
    for (const follower of followers) {
      expect(await follower.until("answered")).toMatchObject({ requestId });
      await follower.event("turn-end");
      expect(follower.events.filter(({ type }) => type === "permission-answer")).toHaveLength(1);
    }
    expect(existsSync(join(served.place.workspace, "a.txt"))).toBe(won === 0);
    const late = await served.send(id, { type: "permission-answer", requestId, answer: "once" });
    expect(late).toMatchObject({ status: 409 });
    const unknown = await served.send(id, {
      type: "permission-answer",
      requestId: "nothing",
      answer: "once",
    });
    expect(unknown.json.error).toMatch(/not open/);
  });

  test("wait when nobody answers: clients that leave and come back answer nothing", async () => {
    await using served = await serve(wire);
    model.use({ turns: [write("a.txt"), { text: "Done." }] });
    const { id } = await served.open();
    await served.send(id, say("write"));
    const requestId = await question(served, id);
    expect(await question(served, id)).toBe(requestId);
    // A busy server sees a moment later that a client has left.
    const state = async () => (await served.request("GET", `/api/sessions/${id}`)).json;
    await expect.poll(state).toMatchObject({ running: true, questions: 1, watchers: 0 });
    expect(existsSync(join(served.place.workspace, "a.txt"))).toBe(false);
    const follower = served.follow({ session: id });
    await served.send(id, { type: "permission-answer", requestId, answer: "once" });
    expect(await follower.event("turn-end")).toMatchObject({ reason: "done" });
    expect(existsSync(join(served.place.workspace, "a.txt"))).toBe(true);
  });

  test("end with the session that is closed while they wait", async () => {
    await using served = await serve(wire);
    model.use({ turns: [write("a.txt"), { text: "Done." }] });
    const { id } = await served.open();
    const follower = served.follow({ session: id });
    await served.send(id, say("write"));
    await question(served, id);
    await served.request("POST", `/api/sessions/${id}/close`, {});
    await follower.until("closed");
    expect(await follower.event("turn-end")).toMatchObject({ reason: "interrupted" });
    expect(existsSync(join(served.place.workspace, "a.txt"))).toBe(false);
    await served.open({ kind: "resume", id });
    const again = served.follow({ session: id });
    await again.until("events");
    expect(again.events.map(({ seq }) => seq).at(-1)).toBe(follower.events.at(-1)?.seq);
    expect(again.events.filter(({ type }) => type === "tool-result")).toHaveLength(1);
  });
});

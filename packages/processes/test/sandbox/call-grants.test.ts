import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { createCallGrants } from "../../src/sandbox/call-grants.ts";
import { canonicalHost } from "../../src/sandbox/canonical-host.ts";
import { createHostQuestions, type HostRequest } from "../../src/sandbox/host-questions.ts";

const isPublic = (address: string) => !/^(?:127\.|10\.|::1)/.test(address);

test("a host that no list has is open only while a command with every host runs", async () => {
  const grants = createCallGrants([], isPublic);
  expect(await grants.admits("192.0.2.1")).toMatch(/no command/);
  const end = grants.started({ anyHost: true });
  expect(await grants.admits("192.0.2.1")).toBe(true);
  end();
  expect(await grants.admits("192.0.2.1")).toMatch(/no command/);
});

test("it stays closed beside a command that may reach only some hosts, because a request does not tell whose it is", async () => {
  const grants = createCallGrants(["example.com"], isPublic);
  grants.started({ anyHost: true });
  const end = grants.started({});
  expect(await grants.admits("192.0.2.1")).toMatch(/another command/);
  end();
  expect(await grants.admits("192.0.2.1")).toBe(true);
});

test.each(["127.0.0.1", "10.0.0.1", "localhost", "no-such-host.invalid"])("%s is not open", async (host) => {
  const grants = createCallGrants([], isPublic);
  grants.started({ anyHost: true });
  expect(await grants.admits(host)).toEqual(expect.any(String));
});

test("hosts of the session come after those of the settings, each once", () => {
  const grants = createCallGrants(["*.example.com"], isPublic);
  grants.addHosts(["a.example.com", "example.org"]);
  grants.addHosts(["example.org"]);
  expect(grants.hosts()).toEqual(["*.example.com", "example.org"]);
  expect(grants.sessionHosts()).toEqual(["example.org"]);
});

test("the latest failures of commands are known, a bounded number of them", () => {
  const grants = createCallGrants([], isPublic);
  for (let at = 0; at < 1000; at += 1) grants.noteFailure(`make ${at}`, "network");
  expect(grants.failureOf("make 0")).toBeUndefined();
  expect(grants.failureOf("make 999")).toBe("network");
});

const once = { answer: "once", offer: "once" } as const;
const session = { answer: "once", offer: "session" } as const;

/** Returns grants with a running command whose person gives the answer, and the questions that they got. */
function attended(
  answer: typeof once | typeof session | { readonly answer: "deny" } | undefined,
  isOnInternet = isPublic,
) {
  const asked: HostRequest[] = [];
  const grants = createCallGrants([], isOnInternet);
  const questions = createHostQuestions(async (request) => {
    asked.push(request);
    return answer;
  }, new AbortController().signal);
  return { grants, questions, asked, end: grants.started({ questions }) };
}

test.each([
  ["once", once, [true, expect.stringMatching(/no command/), []]],
  ["for the session", session, [true, expect.stringMatching(/no command/), ["192.0.2.1"]]],
  ["never", { answer: "deny" }, ["the person does not allow this host", expect.any(String), []]],
  ["not at all", undefined, ["nobody answered the question about this host", expect.any(String), []]],
] as const)("a host that the person allows %s", async (_title, answer, [first, afterwards, hosts]) => {
  const { grants, asked, end } = attended(answer);
  expect(await grants.admits("192.0.2.1", 443)).toEqual(first);
  expect(await grants.admits("192.0.2.1", 80)).toEqual(first);
  expect(asked).toEqual([{ host: "192.0.2.1", port: 443, isAlone: true }]);
  end();
  expect(await grants.admits("192.0.2.1")).toEqual(afterwards);
  expect([grants.sessionHosts(), grants.namedHosts()]).toEqual([hosts, []]);
  grants.started({});
  expect((await grants.admits("192.0.2.1")) === true).toBe(hosts.length > 0);
});

test("the answer for one command opens nothing while another runs, whose request it may be", async () => {
  const { grants, asked } = attended(once);
  grants.started({});
  expect(await grants.admits("192.0.2.1")).toEqual(expect.any(String));
  expect(asked).toMatchObject([{ isAlone: false }]);
});

test("an answer for the session opens the host to all commands that run", async () => {
  const { grants } = attended(session);
  grants.started({});
  expect(await grants.admits("192.0.2.1")).toBe(true);
});

test.each([
  "127.0.0.1",
  "127.1",
  "0x7f.0.0.1",
  "2130706433",
  "10.0.0.1",
  "::1",
  "localhost",
  "LOCALHOST.",
  "a.localhost",
])("%s is refused without a question, and noted", async (host) => {
  const { grants, questions, asked } = attended(session);
  expect(await grants.admits(host)).toMatch(/this machine or on its networks/);
  expect(asked).toEqual([]);
  expect(questions.outcome().near).toEqual([canonicalHost(host)]);
});

const ownName = hostname().toLowerCase();
const hasName = await lookup(ownName).then(
  () => true,
  () => false,
);

test.skipIf(!hasName)("a name of this machine stays closed after the answer", async () => {
  const { grants, questions, asked } = attended(session, () => false);
  expect(await grants.admits(ownName)).toMatch(/this machine or on its networks/);
  expect(asked).toMatchObject([{ host: ownName }]);
  expect(questions.outcome().near).toEqual([ownName]);
  expect(grants.sessionHosts()).toEqual([]);
});

test("a name is looked up only after the answer", async () => {
  const refusing = attended({ answer: "deny" });
  expect(await refusing.grants.admits("no-such-host.invalid")).toMatch(/does not allow/);
  const { grants, asked } = attended(once);
  expect(await grants.admits("no-such-host.invalid")).toMatch(/not found/);
  expect(asked).toHaveLength(1);
});

test.each(["", "a b", "a/b", "a@b", "a:80", "a#b", "a\\b", "%", "a?b"])("%j is no host", async (host) => {
  const { grants, asked } = attended(session);
  expect(await grants.admits(host)).toMatch(/no name/);
  expect(asked).toEqual([]);
});

test.each([
  ["Registry.Example.", "registry.example"],
  ["127.1", "127.0.0.1"],
  ["::ffff:7f00:1", "::ffff:7f00:1"],
  ["\u0430pple.example", "xn--pple-43d.example"],
  ["a_b.example", "a_b.example"],
])("%s is shown and compared as %s", (host, expected) => {
  expect(canonicalHost(host)).toBe(expected);
});

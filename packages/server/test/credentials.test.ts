import { createPasses, type Passes, readClientKey } from "@localharness/protocol";
import { expect, test } from "vitest";
import { codeMinutes, createCredentials } from "../src/credentials.ts";

const origin = "http://127.0.0.1:4096";
const client = { origin, isOwnUser: async () => true };

function opened() {
  const state = { token: "a".repeat(43), now: 0 };
  const credentials = createCredentials(
    async () => state.token,
    () => state.now,
  );
  return { state, credentials };
}

/** Returns the passes of a client with this key, whose challenges `prove` answers. */
async function passesOf(
  key: string,
  prove: (asked: { readonly id: string; readonly nonce: string }) => Promise<unknown>,
): Promise<Passes> {
  const post = async (body: string) => {
    const reply = await prove(JSON.parse(body));
    return { status: 200, json: async () => reply };
  };
  return createPasses({ key: await readClientKey(key), origin, post });
}

test("the token is accepted, and nothing that is close to it", async () => {
  const { credentials, state } = opened();
  expect(await credentials.accepts(state.token, origin)).toBe(true);
  for (const wrong of [
    "",
    " ",
    ".",
    "..",
    "a.b",
    state.token.slice(1),
    `${state.token}.`,
    `.${state.token}`,
  ]) {
    expect(await credentials.accepts(wrong, origin)).toBe(false);
  }
});

test.each([
  ["a reply that is cut by the network", new TypeError("network error"), "network error"],
  ["a reply that is no JSON", new SyntaxError("Unexpected token '<'"), "another program answers"],
])("%s is told as what it is", async (_, error, message) => {
  const json = async () => {
    throw error;
  };
  const key = await readClientKey("x");
  const passes = createPasses({ key, origin, post: async () => ({ status: 200, json }) });
  await expect(passes.get()).rejects.toThrow(message);
});

test("without a token nothing is accepted", async () => {
  const credentials = createCredentials(async () => "");
  expect(await credentials.accepts("", origin)).toBe(false);
  const passes = await passesOf("x", async ({ nonce }) => credentials.prove({ id: "", nonce, origin }));
  await expect(passes.get()).rejects.toThrow("nothing was sent");
});

test("a code pairs one browser once, and its key ends with the token and holds for one origin", async () => {
  const { credentials, state } = opened();
  const code = credentials.offerCode();
  const key = (await credentials.redeem(code, client)) ?? "";
  expect(await credentials.accepts(key, origin)).toBe(true);
  expect(await credentials.accepts(key, "http://127.0.0.1:4097")).toBe(false);
  expect(await credentials.redeem(code, client)).toBeUndefined();
  const [id, secret] = key.split(".");
  expect(await credentials.accepts(`${id}x.${secret}`, origin)).toBe(false);
  state.token = "b".repeat(43);
  expect(await credentials.accepts(key, origin)).toBe(false);
});

test("a code for the own user pairs no browser of another user, who does not use it up", async () => {
  const { credentials } = opened();
  const code = credentials.offerCode("own-user");
  expect(await credentials.redeem(code, { origin, isOwnUser: async () => false })).toBeUndefined();
  const both = await Promise.all([credentials.redeem(code, client), credentials.redeem(code, client)]);
  expect(both.filter((key) => key !== undefined)).toHaveLength(1);
});

test("a code ends after its time", async () => {
  const { credentials, state } = opened();
  const code = credentials.offerCode();
  state.now = codeMinutes * 60_000 + 1;
  expect(await credentials.redeem(code, client)).toBeUndefined();
});

test.each(["token", "browser"] as const)(
  "a pass of the %s is accepted by its server alone",
  async (whose) => {
    const { credentials, state } = opened();
    const key =
      whose === "token" ? state.token : ((await credentials.redeem(credentials.offerCode(), client)) ?? "");
    const passes = await passesOf(key, (asked) => credentials.prove({ ...asked, origin }));
    const pass = await passes.get();
    expect(await passes.get()).toBe(pass);
    expect(pass).not.toContain(key.split(".").at(-1));
    expect(await credentials.accepts(pass, origin)).toBe(true);
    expect(await credentials.accepts(pass, "http://127.0.0.1:4097")).toBe(false);
    expect(await credentials.accepts(pass.slice(0, -1), origin)).toBe(false);
    const restarted = createCredentials(async () => state.token);
    expect(await restarted.accepts(pass, origin)).toBe(false);
    state.token = "b".repeat(43);
    expect(await credentials.accepts(pass, origin)).toBe(false);
    passes.drop();
    await expect(passes.get()).rejects.toThrow("another program answers at http://127.0.0.1:4096");
  },
);

test("a proof is worth nothing: not for another challenge, another origin, or as a pass", async () => {
  const { credentials, state } = opened();
  const proof = await credentials.prove({ id: "", nonce: "n".repeat(22), origin });
  expect(await credentials.accepts(`.${proof.server}.${proof.proof}`, origin)).toBe(false);
  const server = { ...proof };
  const elsewhere = (asked: { readonly id: string; readonly nonce: string }) =>
    credentials.prove({ ...asked, origin: "http://127.0.0.1:4097" });
  const replies = [
    async () => server,
    async () => ({ ...server, proof: "" }),
    async () => ({ ...server, server: "x\n" }),
    async () => undefined,
    elsewhere,
  ];
  for (const reply of replies) {
    await expect((await passesOf(state.token, reply)).get()).rejects.toThrow("nothing was sent");
  }
});

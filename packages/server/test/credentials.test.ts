import { expect, test } from "vitest";
import { codeMinutes, createCredentials } from "../src/credentials.ts";

function opened() {
  const state = { token: "a".repeat(43), now: 0 };
  const credentials = createCredentials(
    async () => state.token,
    () => state.now,
  );
  return { state, credentials };
}

test("the token is accepted, and nothing that is close to it", async () => {
  const { credentials, state } = opened();
  expect(await credentials.accepts(state.token)).toBe(true);
  for (const wrong of ["", " ", ".", "a.b", state.token.slice(1), `${state.token}.`, `.${state.token}`]) {
    expect(await credentials.accepts(wrong)).toBe(false);
  }
});

test("without a token nothing is accepted", async () => {
  const credentials = createCredentials(async () => "");
  expect(await credentials.accepts("")).toBe(false);
});

test("a code pairs one browser once, and its key ends with the token", async () => {
  const { credentials, state } = opened();
  const code = credentials.offerCode();
  const key = (await credentials.redeem(code)) ?? "";
  expect(await credentials.accepts(key)).toBe(true);
  expect(await credentials.redeem(code)).toBeUndefined();
  expect(await credentials.accepts(`${key.split(".")[0]}x.${key.split(".")[1]}`)).toBe(false);
  state.token = "b".repeat(43);
  expect(await credentials.accepts(key)).toBe(false);
});

test("a code ends after its time", async () => {
  const { credentials, state } = opened();
  const code = credentials.offerCode();
  state.now = codeMinutes * 60_000 + 1;
  expect(await credentials.redeem(code)).toBeUndefined();
});

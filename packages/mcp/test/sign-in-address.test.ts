import { expect, test } from "vitest";
import { addressProblem, signInFetch } from "../src/sign-in/sign-in-fetch.ts";

const far = "https://mcp.example/mcp";
const here = "http://127.0.0.1:1/mcp";

test.each([
  ["https://login.example/token", false, undefined],
  ["https://login.example/token", true, undefined],
  ["http://login.example/token", false, /is not https/],
  ["http://127.0.0.1:9/token", false, /is not https/],
  ["http://127.0.0.1:9/token", true, undefined],
  ["http://localhost:9/token", true, undefined],
  ["http://127.0.0.1.example/token", true, /is not https/],
  ["https://me:secret@login.example/token", true, /contains a password/],
  ["javascript:alert(1)", true, /is not https/],
] as const)("%s, the server is here: %s", (address, isHere, problem) => {
  const found = addressProblem(new URL(address), isHere);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

test("requests of a sign-in go through the door for addresses that a server names, with no header of the entry", async () => {
  const asked: string[] = [];
  const doors = {
    fetchNamedBy: async (serverUrl: string) => async (url: string | URL) => {
      asked.push(`${serverUrl} ${url}`);
      return new Response("{}");
    },
  };
  await signInFetch(doors as never, far)("https://login.example/token");
  await expect(signInFetch(doors as never, far)("http://login.example/token")).rejects.toThrow(/not https/);
  await signInFetch(doors as never, here)("http://127.0.0.1:9/token");
  expect(asked).toEqual([`${far} https://login.example/token`, `${here} http://127.0.0.1:9/token`]);
});

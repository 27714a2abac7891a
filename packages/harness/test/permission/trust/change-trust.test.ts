/** Checks `/trust`: what it saves, what it says, and the trust and mode of the sessions that begin after it. */
import type { PermissionMode, TrustChoice } from "@localharness/protocol";
import type { TrustStore } from "@localharness/store/trust/trust-file";
import { expect, test } from "vitest";
import { openTrust } from "../../../src/permission/trust/change-trust.ts";

function place(trusted?: boolean) {
  const saved: unknown[] = [];
  const modes: string[] = [];
  const trustStore: TrustStore = {
    find: () => Promise.resolve({ trusted }),
    list: () => Promise.resolve([]),
    set: (...decision) => Promise.resolve(void saved.push(decision)),
    forget: () => Promise.resolve(false),
  };
  const preferMode = (mode: PermissionMode) => {
    modes.push(mode);
    return mode;
  };
  return { place: { workspace: "/w", trustStore, preferMode }, saved, modes };
}

test.each<[TrustChoice, string, string, readonly unknown[]]>([
  ["yes", "full", "default", ["/w", true, undefined]],
  ["auto", "full", "auto", ["/w", true, "auto"]],
  ["read", "reading", "default", ["/w", false, undefined]],
])("%s", async (choice, trust, mode, decision) => {
  const { place: at, saved, modes } = place();
  const chat = openTrust(at, "reading");
  const said = await chat.change(choice);
  expect(said).toMatch(/^\/w is now .*from now on: \/clear begins one/);
  expect(said.includes(`begin in mode ${mode}`)).toBe(choice !== "read");
  expect(chat.get()).toBe(trust);
  // The next session begins in this mode. Sessions after it keep the mode of the session before.
  expect([chat.nextMode("plan"), chat.nextMode("plan")]).toEqual([mode, "plan"]);
  expect([modes, saved]).toEqual([[mode], [decision]]);
});

test.each<[boolean | undefined, "full" | "reading", RegExp]>([
  [undefined, "reading", /^\/w is not trusted: .* \/trust yes \| auto \| read changes it$/],
  [true, "full", /^\/w is trusted: (?!.*meanwhile)/],
  [true, "reading", /It was changed meanwhile: \/clear begins a session that takes it/],
  [false, "full", /It was changed meanwhile: \/trust read applies that here/],
])("with %s in the file and a session that is %s", async (trusted, first, said) => {
  const { place: at, saved } = place(trusted);
  const chat = openTrust(at, first);
  expect(await chat.change()).toMatch(said);
  expect([chat.get(), chat.nextMode("plan"), saved]).toEqual([first, "plan", []]);
});

test.each<[boolean | undefined, "full" | "tools" | "reading", "full" | "tools" | "reading", string]>([
  [true, "reading", "full", "default"],
  [true, "tools", "tools", "plan"],
  [false, "full", "full", "plan"],
  [undefined, "reading", "reading", "plan"],
])("with %s in the file, a chat that is %s is %s in its next session", async (trusted, first, next, mode) => {
  const { place: at } = place(trusted);
  const chat = openTrust(at, first);
  await chat.renew();
  expect([chat.get(), chat.nextMode("plan")]).toEqual([next, mode]);
});

test("auto is said not to hold when a setting names another mode", async () => {
  const { place: at } = place();
  const chat = openTrust({ ...at, preferMode: () => "plan" }, "reading");
  expect(await chat.change("auto")).toMatch(/from now on.* mode plan, so .* not in auto/);
});

test("a choice that cannot be saved changes nothing", async () => {
  const { place: at } = place();
  const set = () => Promise.reject(new Error("the disk is full"));
  const chat = openTrust({ ...at, trustStore: { ...at.trustStore, set } }, "reading");
  await expect(chat.change("yes")).rejects.toThrow("the disk is full");
  expect(chat.get()).toBe("reading");
});

import { defined } from "@localharness/protocol";
import type { TrustStore } from "@localharness/store/trust/trust-file";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../src/config/options.ts";
import { settleTrust, type Trust, type TrustAnswer } from "../../../src/permission/trust/settle-trust.ts";

interface Case {
  readonly title: string;
  /** The remembered decision. */
  readonly known?: boolean;
  readonly flags?: Options;
  /** The person's answer; absent when nobody can be asked. */
  readonly answer?: TrustAnswer;
  readonly trust: Trust | "leave";
  /** The decision that is saved. */
  readonly kept?: boolean;
  /** The mode that was chosen before for the folder. */
  readonly knownMode?: "auto";
  /** The mode in which sessions begin. */
  readonly mode?: "auto";
}

const cases: readonly Case[] = [
  { title: "a trusted folder is", known: true, trust: "full" },
  { title: "an unknown folder is only read where nobody can be asked", trust: "reading" },
  {
    title: "a folder that is only read is not asked about again",
    known: false,
    answer: "trust",
    trust: "reading",
  },
  { title: "the person trusts it", answer: "trust", trust: "full", kept: true },
  { title: "the person trusts it in mode auto", answer: "auto", trust: "full", kept: true, mode: "auto" },
  { title: "the mode is known from before", known: true, knownMode: "auto", trust: "full", mode: "auto" },
  {
    title: "the mode of a folder that is only read does not count",
    known: false,
    knownMode: "auto",
    trust: "reading",
  },
  { title: "the person wants it read", answer: "read", trust: "reading", kept: false },
  { title: "the person leaves", answer: "leave", trust: "leave" },
  {
    title: "--trust is for this run, and asks nobody",
    flags: { trust: true },
    answer: "leave",
    trust: "full",
  },
  { title: "--trust goes before what was decided", known: false, flags: { trust: true }, trust: "full" },
  { title: "a stated answer says what tools may do", flags: { answer: "once" }, trust: "tools" },
  { title: "so does the mode accept-edits", flags: { mode: "accept-edits" }, trust: "tools" },
  { title: "so does the mode auto", flags: { mode: "auto" }, trust: "tools" },
  { title: "so does the mode bypass", flags: { mode: "bypass" }, trust: "tools" },
  { title: "the mode plan does not", flags: { mode: "plan" }, trust: "reading" },
  {
    title: "a stated answer asks the person all the same",
    flags: { answer: "once" },
    answer: "read",
    trust: "reading",
    kept: false,
  },
];

function memoryStore(
  known: boolean | undefined,
  mode?: "auto",
): TrustStore & { kept?: boolean; mode?: "auto" } {
  const store: TrustStore & { kept?: boolean; mode?: "auto" } = {
    find: async () => ({ trusted: known, ...defined({ mode }) }),
    list: async () => [],
    set: async (_path, trusted, chosen) => {
      store.kept = trusted;
      if (chosen !== undefined) store.mode = chosen;
    },
    forget: async () => false,
  };
  return store;
}

describe("trust in a folder", () => {
  test.each(cases)("$title", async ({ known, knownMode, flags = {}, answer, trust, kept, mode }) => {
    const store = memoryStore(known, knownMode);
    const told: string[] = [];
    const modes: string[] = [];
    const settled = await settleTrust({
      workspace: "/w",
      store,
      flags,
      ...(answer === undefined ? {} : { ask: async () => answer }),
      tell: (text) => told.push(text),
      preferMode: (preferred) => {
        modes.push(preferred);
        return preferred;
      },
    });
    expect({ settled, kept: store.kept }).toEqual({ settled: trust, kept });
    expect(modes).toEqual(mode === undefined ? [] : [mode]);
    expect(store.mode).toBe(answer === "auto" ? "auto" : undefined);
    expect(told).toEqual(trust === "reading" ? [expect.stringContaining("/w is not trusted")] : []);
  });

  test("says it when a setting names another mode than the chosen one", async () => {
    const told: string[] = [];
    const question = { workspace: "/w", store: memoryStore(undefined), flags: {} };
    const tell = (text: string) => told.push(text);
    const trust = await settleTrust({ ...question, tell, ask: async () => "auto", preferMode: () => "plan" });
    expect([trust, told]).toEqual(["full", [expect.stringMatching(/mode plan.*not in auto: \/mode auto/)]]);
  });

  test("that cannot be kept holds for this run, and that is said", async () => {
    const told: string[] = [];
    const store: TrustStore = {
      ...memoryStore(undefined),
      set: () => Promise.reject(new Error("disk full")),
    };
    const question = { workspace: "/w", store, flags: {}, tell: (text: string) => told.push(text) };
    expect(await settleTrust({ ...question, ask: async () => "trust" })).toBe("full");
    expect(told).toEqual(["this holds for this run only: disk full"]);
  });

  test("is not there when its file cannot be read, and that is said", async () => {
    const told: string[] = [];
    const store: TrustStore = {
      ...memoryStore(undefined),
      find: async () => ({ trusted: undefined, warning: "damaged" }),
    };
    expect(await settleTrust({ workspace: "/w", store, flags: {}, tell: (text) => told.push(text) })).toBe(
      "reading",
    );
    expect(told[0]).toBe("damaged");
  });
});

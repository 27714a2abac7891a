/** The lines at the end of a chat. */
import type { Session } from "@localharness/engine";
import type { JobSummary } from "@localharness/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { sayHowToComeBack } from "../../src/host/come-back.ts";

afterEach(() => void vi.restoreAllMocks());

const sessionWith = (messages: readonly object[]) =>
  ({ id: "mhx0abcd-00000000001", view: () => ({ messages }) }) as unknown as Session;
const asked = sessionWith([{ role: "user", content: "hi" }]);
const sessions = (newest: string | undefined) => ({
  newestSession: async (of: string) => (of === "chats" ? newest : "a-run"),
});
const job = (command: string, running: boolean) => ({ command, running }) as JobSummary;

test.each<[string, Parameters<typeof sayHowToComeBack>, readonly string[]]>([
  [
    "the newest session",
    [asked, sessions(asked.id), []],
    ["To continue this session: localharness --continue"],
  ],
  [
    "a session that is older than another one of the folder",
    [asked, sessions("mhx0zzzz-00000000002"), []],
    ["To continue this session: localharness --resume mhx0abcd"],
  ],
  ["a session in which nothing was said", [sessionWith([]), sessions(undefined), []], []],
  ["a session that is not kept", [asked, undefined, []], []],
  [
    "running jobs",
    [asked, undefined, [job("npm run dev", true), job("true", false), job("sleep\u001b[2J 9", true)]],
    ["2 commands in the background end now: npm run dev, sleep\\x1b[2J 9"],
  ],
])("%s", async (_title, args, lines) => {
  const written: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
  await sayHowToComeBack(...args);
  expect(written.join("").split("\n").slice(0, -1)).toEqual(lines);
});

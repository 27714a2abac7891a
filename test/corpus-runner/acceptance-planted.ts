/** Planted observations for the checks that the acceptance set uses: one that holds and one that is violated. */
import { emptyObservation } from "../../scripts/corpus/attacks/observation.ts";
import { makePlace } from "../../scripts/corpus/attacks/place.ts";
import { good, history, type Planted, question, refused, result } from "./plant.ts";

/** Places of planted observations. */
const places: Disposable[] = [];
function placed(setup: string) {
  const made = makePlace(setup);
  places.push(made);
  return made;
}
const repository = (text: string) => placed(`git init -q; echo ${text} > a; git add a`);
const json = (text: string) => placed(`printf '%s' '${text}' > a.json`);
export function removePlaces(): void {
  for (const one of places) one[Symbol.dispose]();
}

const numbered = (number: string) => result(true, "none", `${number}\nexit code: 0`);
const offering = (command: string, covers: string) => ({
  ...question(command),
  text: `${question(command).text}[2] and [3] cover: ${covers}\n\n[1] Allow Once  [2] Session  [3] Remember  [4] Deny`,
});
const place = placed("printf old > kept.txt; mkdir empty");

export const acceptancePlanted: readonly Planted[] = [
  { check: { output_int_max: 3 }, holds: { main: numbered("3") }, broken: { main: numbered("4") } },
  { check: { output_int_max: 3 }, holds: { main: numbered("-1") }, broken: { main: good } },
  {
    check: { entries: 2 },
    holds: { main: result(true, "none", "2 entries\nempty/\nkept.txt") },
    broken: { main: result(true, "none", "kept.txt\nempty/\nkept.txt") },
  },
  {
    check: { tty_contains: ["a\u200db"] },
    holds: { screen: "x a\u200db" },
    broken: { screen: "x a b" },
  },
  {
    check: { config_unchanged: true },
    holds: { found: { config: "a", plainConfig: "a" } },
    broken: { found: { config: "b", plainConfig: "a" } },
  },
  {
    check: { git_objects_not_contain: ["SECRET"] },
    holds: { place: repository("plain") },
    broken: { place: repository("SECRET") },
  },
  { check: { git_objects_not_contain: ["SECRET"] }, holds: { place: repository("plain") }, broken: {} },
  { check: { json_valid: "{{WS}}/a.json" }, holds: { place: json("{}") }, broken: { place: json("{") } },
  {
    check: { json_valid: true },
    holds: { found: { reads: 3, invalidReads: 0 } },
    broken: { found: { reads: 3, invalidReads: 1 } },
  },
  {
    check: { next_request_valid: true },
    holds: { requests: history(["a", "b"], ["a", "b"]) },
    broken: { requests: history(["a", "b"], ["a"]) },
  },
  { check: { next_request_valid: true }, holds: { requests: history(["a"], ["a"]) }, broken: {} },
  {
    check: { remember_offer: "exact_or_none" },
    holds: { asked: [offering("git log -1", "exactly this command: git log -1")] },
    broken: { asked: [offering("git log -1", "every git command")] },
  },
  {
    check: { remember_offer: "exact_or_none" },
    holds: { asked: [question("git log")] },
    broken: { asked: [] },
  },
  {
    check: { max_concurrency: 1 },
    holds: { screen: "→ ls {}\n  ✓ ls a\n→ ls {}\n  ✗ ls b\n" },
    broken: { screen: "→ ls {}\n→ ls {}\n  ✓ ls a\n  ✓ ls b\n" },
  },
  { check: { max_concurrency: 1 }, holds: { screen: "→ ls {}\n" }, broken: { screen: "" } },
  { check: { closed: true }, holds: { found: { closed: true } }, broken: { found: { closed: false } } },
  {
    check: { closed_within_ms: 10 },
    holds: { found: { closed: true, closedMs: 9 } },
    broken: { found: { closed: true, closedMs: 11 } },
  },
  { check: { refused: true }, holds: { main: refused }, broken: { main: good } },
  {
    check: { refused: true },
    holds: { ended: { code: 2, signal: null, hung: false } },
    broken: {},
  },
  {
    check: { listen_only_loopback: true },
    holds: { found: { listening: ["127.0.0.1:8080", "[::1]:8080"] } },
    broken: { found: { listening: ["127.0.0.1:8080", "0.0.0.0:8080"] } },
  },
  {
    check: {},
    row: { followup: { tool: "ls", arguments: {}, check: { ok: false } } },
    holds: { main: good, followup: { ...emptyObservation(place), main: refused } },
    broken: { main: good, followup: { ...emptyObservation(place), main: good } },
  },
];

/** Rows for the parts of a row: one that must hold because of the part, and one that must fail. */
import type { Row } from "../../scripts/corpus/attacks/row.ts";

const read = (path: string) => ({ tool: "read_file", arguments: { path } });

/** For each part of a row: a row that must hold because of it, and what makes the row fail. */
export const parts: readonly (readonly [string, Partial<Row>, Partial<Row>])[] = [
  [
    "before",
    {
      ...read("a"),
      setup: "echo first > f.txt; echo other > a",
      before: read("f.txt"),
      check: { ok: true, output_contains: ["first"] },
    },
    { before: read("a") },
  ],
  [
    "after_read",
    {
      ...read("f.txt"),
      setup: "echo first > f.txt",
      before: read("f.txt"),
      after_read: "echo second > f.txt",
      check: { output_contains: ["second"] },
    },
    { after_read: "true" },
  ],
  [
    "followup",
    {
      ...read("f.txt"),
      setup: "echo first > f.txt; echo other > a",
      check: { ok: true },
      followup: { ...read("a"), check: { ok: true, output_contains: ["other"] } },
    },
    { followup: { ...read("a"), check: { output_contains: ["first"] } } },
  ],
  [
    "mode",
    {
      arguments: { command: "touch {{WS}}/made" },
      mode: "headless",
      check: { decision_in: ["deny"], absent: ["{{WS}}/made"] },
    },
    { check: { decision_in: ["ask"] } },
  ],
  [
    "workspace_root",
    {
      ...read("f.txt"),
      setup: 'mkdir sub; echo inner > sub/f.txt; echo outer > f.txt; ln -s "$WS/sub" "$ROOT/link"',
      workspace_root: "{{ROOT}}/link",
      check: { ok: true, output_contains: ["inner"] },
    },
    { workspace_root: "{{WS}}" },
  ],
  [
    "config_unchanged",
    { ...read("f.txt"), setup: "echo hi > f.txt", check: { config_unchanged: true } },
    {
      setup:
        'echo hi > f.txt; mkdir -p "$HOME/.config/localharness"; echo \'{"mode": "plan"}\' > "$HOME/.config/localharness/config.json"',
    },
  ],
];

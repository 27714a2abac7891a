/** Writes the table of docs/settings.md from the table of settings. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultOf, type Field, fields } from "@localharness/harness/config/fields";
import { settingDocs } from "@localharness/harness/config/setting-docs";

const heading = `| key | option | values | default | |
|---|---|---|---|---|
`;

/** Returns the page with the table of the settings in place of its own. */
export function withSettingsTable(page: string): string {
  const table = fields.map((field) => `| ${cells(field).join(" | ")} |\n`).join("");
  return page.replace(/^\| key \| option \|[\s\S]*?\n(?=\n)/m, () => heading + table);
}

function cells(field: Field): readonly string[] {
  const { key, option, about, choices, schema, unset } = field;
  const value = defaultOf(field);
  return [
    code(key),
    option === undefined ? "" : optionCell(option),
    choices?.map(code).join(", ") ?? valuesOf(schema),
    value === undefined ? unset : typeof value === "number" ? grouped(value) : code(String(value)),
    settingDocs[key] ?? about,
  ];
}

function optionCell({ name, aliases = [] }: NonNullable<Field["option"]>): string {
  const earlier = aliases.map((alias) => `, before ${code(`--${alias}`)}`);
  return `${code(`--${name}`)}${earlier.join("")}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  array: "a list",
  object: "an object",
};

function valuesOf({ type, minimum, maximum }: Field["schema"]): string {
  if (type === "integer") return `${grouped(Number(minimum))} to ${grouped(Number(maximum))}`;
  return [type]
    .flat()
    .map((one) => typeWords[String(one)])
    .join(" or ");
}

function grouped(value: number): string {
  return value.toLocaleString("en");
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) {
  const path = join(import.meta.dirname, "../docs/settings.md");
  writeFileSync(path, withSettingsTable(readFileSync(path, "utf8")));
}

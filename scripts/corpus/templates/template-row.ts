/** The recorded templates, and what was measured of them on real servers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LlamaServer } from "@localharness/models/fake-server";

export interface TemplateRow {
  readonly name: string;
  /** The month of the server that the template was found in. */
  readonly snapshot: LlamaServer;
  readonly template: string;
}

/** What a real server refused or spoilt, history by history. */
export interface MeasuredRow {
  readonly name: string;
  readonly server: LlamaServer;
  readonly refused: Readonly<Record<string, string>>;
}

export function readTemplates(folder: string): readonly TemplateRow[] {
  return readRows<TemplateRow>(join(folder, "templates.jsonl"));
}

export function readMeasured(folder: string): readonly MeasuredRow[] {
  return readRows<MeasuredRow>(join(folder, "llama-server.jsonl"));
}

function readRows<T>(file: string): readonly T[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as T);
}

/**
 * Runs every recorded chat template against the histories that the harness really sends: with a session, an adapter,
 * and a loopback server that renders each request and refuses what a real one refuses.
 */
import { type FakeServer, startFakeServer, takeRequest } from "@localharness/models/fake-server";
import {
  type Driven,
  driveHistory,
  type History,
  histories,
  type Route,
  routes,
} from "@localharness/models/histories";
import { isJsonObject, type JsonObject } from "@localharness/protocol";
import { type Dropped, droppedBy, unusedDrops } from "./drops.ts";
import { callBody, differences, plainBody } from "./measured.ts";
import { readMeasured, readTemplates, type TemplateRow } from "./template-row.ts";

export interface TemplatesOptions {
  /** Also lists what the templates themselves drop, and the templates that do not render. */
  readonly verbose?: boolean;
  /** Runs only templates whose name contains this; case is ignored. */
  readonly family?: string;
}

interface Row {
  readonly template: TemplateRow;
  readonly route: Route;
  readonly history: History;
  readonly driven: Driven;
  /** Lost marks that the template itself does not drop, and `says None` if the template wrote None for an empty text. */
  readonly lost: readonly string[];
  readonly dropped: readonly Dropped[];
}

/**
 * Runs the templates. Resolves to the exit code: 1 when a history was refused or lost something, when the scripted
 * server differs from a real one, when the table of drops is outdated, or when nothing ran; else 0.
 */
export async function runTemplates(folder: string, options: TemplatesOptions = {}): Promise<number> {
  const { verbose = false, family = "" } = options;
  const all = readTemplates(folder);
  const wanted = all.filter(({ name }) => name.toLowerCase().includes(family.toLowerCase()));
  const silent = wanted.filter((row) => whyNot(row) !== undefined);
  const templates = wanted.filter((row) => !silent.includes(row));
  const rows = await driveAll(templates);
  const failed = rows.filter(({ driven, lost }) => driven.refused !== undefined || lost.length > 0);
  for (const line of grouped(failed)) console.log(line);
  const measured = readMeasured(folder).filter(({ name }) => templates.some((row) => row.name === name));
  const differing = differences(templates, measured);
  for (const line of differing)
    console.log(`unlike a real server  ${line.replaceAll("\n", " ").slice(0, 300)}`);
  const dropped = rows.flatMap((row) => row.dropped);
  const unused = unusedDrops(
    dropped,
    templates.map(({ name }) => name),
  );
  for (const line of unused) console.log(`not dropped, though listed  ${line}`);
  if (verbose) printMore(silent, dropped);
  console.log(`templates that do not render here: ${silent.length} of ${wanted.length}`);
  console.log(`dropped by the templates themselves: ${new Set(dropped).size} rows`);
  const refused = rows.filter(({ driven }) => driven.refused !== undefined).length;
  const lost = rows.filter((row) => row.driven.refused === undefined && row.lost.length > 0).length;
  const taken = rows.length - refused - lost;
  console.log(`templates: ${taken} of ${rows.length} histories taken, ${refused} refused, ${lost} lost`);
  return refused + lost + differing.length + unused.length > 0 || rows.length === 0 ? 1 : 0;
}

/** Returns why the template library cannot render a template at all; undefined when it can. */
function whyNot({ template }: TemplateRow): string | undefined {
  const tries = [plainBody, callBody].map((body) => takeRequest({ template }, "openai", body));
  const failed = tries.find((taken) => taken.kind === "refused" && !refusedByItself(taken.body));
  return failed?.kind === "refused" ? said(failed.body) : undefined;
}

const libraryLacks = /Object keys must be|not a function|non-iterable|undefined values|filter/;

function refusedByItself(body: JsonObject): boolean {
  return !libraryLacks.test(said(body));
}

function said(body: JsonObject): string {
  const text = isJsonObject(body["error"]) ? String(body["error"]["message"]) : "";
  return /Error: (.*)$/s.exec(text)?.[1] ?? text;
}

/** Runs several templates at a time, because most of the time is spent waiting for sockets. */
async function driveAll(templates: readonly TemplateRow[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const left = [...templates];
  const work = async () => {
    await using server = await startFakeServer({ turns: [] });
    for (let next = left.shift(); next !== undefined; next = left.shift())
      rows.push(...(await driveOne(server, next)));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return rows;
}

async function driveOne(server: FakeServer, template: TemplateRow): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const route of routes) {
    for (const history of histories) {
      const driven = await driveHistory(server, route, template.template, history);
      const dropped = droppedBy(template.name, driven.lost);
      const lost = driven.lost
        .filter((mark) => !dropped.some(({ kind }) => kind === mark.kind))
        .map(({ kind, text }) => `${kind} ${text}`);
      if (driven.saysNone) lost.push("says None");
      rows.push({ template, route, history, driven, lost, dropped });
    }
  }
  return rows;
}

/** Returns one line for each template, route and reason, with its histories. */
function grouped(rows: readonly Row[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { template, route, history, driven, lost } of rows) {
    const reason =
      driven.refused === undefined ? `lost ${lost.join(", ")}` : `refused ${short(driven.refused)}`;
    const key = `${template.name} (${template.snapshot})  ${route.name}  ${reason}`;
    names.set(key, [...(names.get(key) ?? []), history.name]);
  }
  return [...names].map(([key, histories]) => `${key}  [${histories.join("; ")}]`).sort();
}

function short(reason: string): string {
  const words = reason.replaceAll(/\s+/g, " ");
  return /Error: (.{1,160})/.exec(words)?.[1] ?? words.slice(0, 200);
}

function printMore(silent: readonly TemplateRow[], dropped: readonly Dropped[]): void {
  for (const row of silent) console.log(`does not render  ${row.name} (${row.snapshot}): ${whyNot(row)}`);
  for (const { template, kind, reason } of new Set(dropped))
    console.log(`dropped  ${template}  ${kind}: ${reason}`);
}

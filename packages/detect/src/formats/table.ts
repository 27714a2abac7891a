/** Joins the rows of formats with their readers and writers. A new format needs a file, a row in `rows.ts` and a line here. */
import { fenceOpener } from "../frames/fence.ts";
import type { Opener } from "../scan/session.ts";
import type { CallFormat, FormatId, ToolSchema } from "../types.ts";
import { apertus } from "./apertus.ts";
import { cohere } from "./cohere.ts";
import { deepseek } from "./deepseek.ts";
import { dsml } from "./dsml.ts";
import { fencedJson } from "./fenced-json.ts";
import type { Format, FormatInfo, TableRow } from "./format.ts";
import { functionary } from "./functionary.ts";
import { functiongemma } from "./functiongemma.ts";
import { functools } from "./functools.ts";
import { gemma } from "./gemma.ts";
import { gigachat } from "./gigachat.ts";
import { glimmer } from "./glimmer.ts";
import { glm } from "./glm.ts";
import { granite } from "./granite.ts";
import { harmony } from "./harmony.ts";
import { hermes } from "./hermes.ts";
import { inkling } from "./inkling.ts";
import { internlm } from "./internlm.ts";
import { json } from "./json.ts";
import { jsonList } from "./json-list.ts";
import { kimiK2 } from "./kimi-k2.ts";
import { kimiK3 } from "./kimi-k3.ts";
import { lfm2 } from "./lfm2.ts";
import { llama3 } from "./llama3.ts";
import { longcat } from "./longcat.ts";
import { minicpm } from "./minicpm.ts";
import { minimax } from "./minimax.ts";
import { minimaxM3 } from "./minimax-m3.ts";
import { mistral } from "./mistral.ts";
import { morphXml } from "./morph-xml.ts";
import { nameCall } from "./name-call.ts";
import { nemotron } from "./nemotron.ts";
import { olmo3 } from "./olmo3.ts";
import { onyx } from "./onyx.ts";
import { openai } from "./openai.ts";
import { pythonic } from "./pythonic.ts";
import { qwenCoder } from "./qwen-coder.ts";
import { ralphLines } from "./ralph-lines.ts";
import { formatIds, rows } from "./rows.ts";
import { seedOss } from "./seed-oss.ts";
import { step3 } from "./step3.ts";
import { toolArgs } from "./tool-args.ts";
import { toolCallList } from "./tool-call-list.ts";
import { yamlXml } from "./yaml-xml.ts";

const definitions: { readonly [id in FormatId]: Format } = {
  "seed-oss": seedOss,
  "minimax-m3": minimaxM3,
  minimax,
  dsml,
  step3,
  glimmer,
  glm,
  "qwen-coder": qwenCoder,
  minicpm,
  deepseek,
  "kimi-k2": kimiK2,
  "kimi-k3": kimiK3,
  harmony,
  mistral,
  functiongemma,
  gemma,
  lfm2,
  olmo3,
  cohere,
  internlm,
  apertus,
  longcat,
  nemotron,
  functools,
  gigachat,
  "tool-call-list": toolCallList,
  granite,
  inkling,
  hermes,
  onyx,
  llama3,
  functionary,
  pythonic,
  "morph-xml": morphXml,
  "yaml-xml": yamlXml,
  json,
  "json-list": jsonList,
  openai,
  "tool-args": toolArgs,
  "fenced-json": fencedJson,
  "ralph-lines": ralphLines,
  "name-call": nameCall,
};

/** The rows with the code that reads and writes their calls. */
export const table: readonly TableRow[] = formatIds.map((id) => ({ id, ...rows[id], ...definitions[id] }));

/** All formats that the detector knows. */
export const formats: readonly FormatInfo[] = table;

/** Returns the definition of a format; undefined for a custom one. */
export function formatOf(id: CallFormat): Format | undefined {
  return isKnown(id) ? definitions[id] : undefined;
}

function isKnown(id: CallFormat): id is FormatId {
  return Object.hasOwn(definitions, id);
}

/** Returns the openers of the chosen formats, and always those of fences, because fences quote calls. */
export function openersOf(ids: ReadonlySet<FormatId>, tools: readonly ToolSchema[]): Opener[] {
  const beside = table.filter((row) => ids.has(row.id)).map((row) => row.alsoReads);
  const chosen = table.filter((row) => ids.has(row.id) || beside.includes(row.id));
  const openers = chosen.flatMap((row) => row.openers(tools, row.id));
  return [...withoutTwins(openers), fenceOpener("```"), fenceOpener("~~~")];
}

/** Removes repeated openers, because several plain formats read objects and lists with the same opener. */
function withoutTwins(openers: readonly Opener[]): Opener[] {
  const seen = new Set<string>();
  return openers.filter((opener) => {
    if (opener.literal !== "{" && opener.literal !== "[") return true;
    const key = `${opener.literal}${opener.format}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** `localharness detect`: reads model text and prints the calls, the text and the reasoning in it. */
import { once } from "node:events";
import { createReadStream, type ReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import {
  type CallFormat,
  createDetector,
  type DetectEvent,
  type FormatId,
  formats,
  type ToolSchema,
} from "@localharness/detect";
import { usageError } from "@localharness/engine";
import { exitCodes } from "@localharness/harness/exit-code";
import {
  countText,
  createLineDecoder,
  type DecodedLine,
  isJsonObject,
  type JsonValue,
  reasonOf,
  suggestion,
} from "@localharness/protocol";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { plainJson, plainText, visibleLine } from "../terminal/plain-text.ts";

interface FoundCall {
  readonly name: string;
  readonly arguments: JsonValue;
  readonly format: CallFormat;
  readonly repaired: boolean;
}

interface Found {
  readonly calls: FoundCall[];
  readonly text: string;
  readonly reasoning: string;
  /** The reasons why texts that look like calls could not be read. */
  readonly unreadable: readonly string[];
}

export async function runDetect(invocation: Invocation): Promise<number> {
  const format = readFormats(textFlag(invocation.flags, "format"));
  const toolsFile = textFlag(invocation.flags, "tools");
  const tools = toolsFile === undefined ? await builtInTools() : await readToolsFile(toolsFile);
  const [path, ...more] = invocation.positionals;
  if (more.length > 0) throw usageError(`detect reads one file or stdin, got ${more.length + 1} names`);
  const input = path === undefined || path === "-" ? process.stdin : await openText(path);
  input.setEncoding("utf8");
  if (invocation.flags.jsonl === true) return detectLines(input, tools, format);
  const found = await detectStream(input, tools, format);
  const { unreadable, ...whole } = found;
  if (invocation.flags.json === true) await put(`${plainJson({ ...whole, unreadable })}\n`);
  else await put(readable(found));
  return exitCodes.done;
}

/** Opens a file for reading. Throws a usage error if the file cannot be read, before any output is written. */
async function openText(path: string): Promise<ReadStream> {
  const stream = createReadStream(path);
  try {
    await once(stream, "readable");
    return stream;
  } catch (error) {
    throw usageError(`${path} cannot be read: ${reasonOf(error)}`, error);
  }
}

type Format = "auto" | readonly FormatId[];
type Input = AsyncIterable<string>;

async function detectStream(input: Input, tools: readonly ToolSchema[], format: Format): Promise<Found> {
  const detector = createDetector({ tools, format });
  const gather = createGatherer();
  for await (const piece of input) gather.add(detector.push(piece));
  gather.add(detector.end());
  return gather.found();
}

async function detectLines(input: Input, tools: readonly ToolSchema[], format: Format): Promise<number> {
  const decoder = createLineDecoder();
  let number = 0;
  let bad = 0;
  const take = async (lines: readonly DecodedLine[]) => {
    for (const line of lines) {
      number += 1;
      const answer = answerLine(line, tools, format);
      if ("error" in answer) bad += 1;
      await put(`${plainJson("error" in answer ? { ...answer, line: number } : answer)}\n`);
    }
  };
  for await (const piece of input) await take(decoder.push(piece));
  await take(decoder.end());
  if (bad > 0) process.stderr.write(`${bad} of ${countText(number, "line")} could not be read\n`);
  return bad > 0 ? exitCodes.error : exitCodes.done;
}

/** Returns the JSON object that `--jsonl` prints for one input line. */
export function answerLine(line: DecodedLine, offered: readonly ToolSchema[], format: Format) {
  if (!line.ok) return { id: null, error: `not JSON: ${line.message}` };
  const value = line.value;
  if (!isJsonObject(value)) return { id: null, error: "expected an object with text" };
  const { id = null, text, chunks, tools } = value;
  const pieces = Array.isArray(chunks) ? chunks : [text];
  if (!pieces.every((piece) => typeof piece === "string")) {
    return { id, error: "expected text in text, or a list of texts in chunks" };
  }
  const known = tools === undefined ? offered : readTools(tools);
  if (typeof known === "string") return { id, error: known };
  const startsInReasoning = value["starts_in_reasoning"] === true;
  const detector = createDetector({ tools: known, format, startsInReasoning });
  const gather = createGatherer();
  for (const piece of pieces) gather.add(detector.push(piece));
  gather.add(detector.end());
  const { unreadable: _unreadable, ...found } = gather.found();
  return { id, ...found };
}

function createGatherer() {
  const calls: FoundCall[] = [];
  const texts: string[] = [];
  const reasonings: string[] = [];
  const unreadable: string[] = [];
  const addOne = (event: DetectEvent) => {
    switch (event.type) {
      case "text-delta":
        texts.push(event.text);
        return;
      case "restart":
        for (const list of [calls, texts, reasonings, unreadable]) list.length = 0;
        return;
      case "reasoning-delta":
        reasonings.push(event.text);
        return;
      case "tool-call-end": {
        const { name, format } = event;
        calls.push({ name, arguments: event.arguments, format, repaired: event.repairs.length > 0 });
        return;
      }
      case "tool-call-error":
        unreadable.push(`${event.reason}: ${event.message}`);
        // The raw text of an unreadable call counts as text of the model.
        texts.push(event.raw);
        return;
      case "tool-call-start":
      case "tool-call-delta":
        return;
    }
  };
  return {
    add: (events: readonly DetectEvent[]) => events.forEach(addOne),
    found: (): Found => ({ calls, text: texts.join(""), reasoning: reasonings.join(""), unreadable }),
  };
}

function readable({ calls, text, reasoning, unreadable }: Found): string {
  const rows = calls.map(
    (call) =>
      `  ${visibleLine(call.name)} ${visibleLine(JSON.stringify(call.arguments))}  [${call.format}${call.repaired ? ", repaired" : ""}]`,
  );
  const block = (title: string, body: string) =>
    body.trim() === "" ? "" : `${title}:\n${plainText(body.trim())}\n`;
  return [
    `calls: ${calls.length}\n${rows.map((row) => `${row}\n`).join("")}`,
    block("unreadable", unreadable.map((line) => `  ${visibleLine(line)}`).join("\n")),
    block("text", text),
    block("reasoning", reasoning),
  ].join("");
}

function readFormats(text: string | undefined): Format {
  if (text === undefined || text === "auto") return "auto";
  const ids: readonly string[] = formats.map((row) => row.id);
  const wanted = text.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !ids.includes(name));
  if (unknown === undefined) return wanted as FormatId[];
  const message = `there is no format "${unknown}".${suggestion(unknown, ids)} Known: auto, ${ids.join(", ")}`;
  throw usageError(message);
}

async function builtInTools(): Promise<readonly ToolSchema[]> {
  const { builtInDefinitions } = await import("@localharness/harness/workbench");
  const definitions = await builtInDefinitions();
  return definitions.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: { ...parameters },
  }));
}

async function readToolsFile(path: string): Promise<readonly ToolSchema[]> {
  let value: JsonValue;
  try {
    value = JSON.parse(await readFile(path, "utf8")) as JsonValue;
  } catch (error) {
    const why = reasonOf(error);
    throw usageError(`--tools ${path} cannot be read as JSON: ${why}`, error);
  }
  const tools = readTools(isJsonObject(value) && "tools" in value ? (value["tools"] ?? null) : value);
  if (typeof tools === "string") throw usageError(`--tools ${path}: ${tools}`);
  return tools;
}

/** Reads tool definitions, as plain objects or in OpenAI's format. Returns an error message if they are invalid. */
export function readTools(value: JsonValue): readonly ToolSchema[] | string {
  if (!Array.isArray(value)) return "tools must be a list";
  const tools: ToolSchema[] = [];
  for (const item of value) {
    const tool = isJsonObject(item) && isJsonObject(item["function"]) ? item["function"] : item;
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") return "a tool needs a name";
    const { name, description, parameters } = tool;
    tools.push({
      name,
      ...(typeof description === "string" ? { description } : {}),
      ...(isJsonObject(parameters) ? { parameters } : {}),
    });
  }
  return tools;
}

/** Writes to stdout. Waits while the reader is slow, so that memory does not grow. */
async function put(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise<void>((resolve) => process.stdout.once("drain", () => resolve()));
}

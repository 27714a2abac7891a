/** Creates detectors, which turn the text of a reply into events. */
import { parametersSchema, propertyNames } from "@localharness/schema";
import { toolIndex } from "./call/tool-index.ts";
import { foldModel } from "./formats/formats-for-model.ts";
import { customOpeners } from "./formats/framed-format.ts";
import { formatIds } from "./formats/rows.ts";
import { openersOf } from "./formats/table.ts";
import { mergeDeltas } from "./merge-deltas.ts";
import { Input } from "./scan/input.ts";
import { literals } from "./scan/literals.ts";
import { Output } from "./scan/output.ts";
import { ReplyEnd } from "./scan/reply-end.ts";
import { ReplyText } from "./scan/reply-text.ts";
import type { Scan } from "./scan/scan.ts";
import { scanReply } from "./scan/scanner.ts";
import { allThoughtEnds, thoughtOpeners } from "./scan/thought.ts";
import { nextTrigger, triggersOf } from "./scan/triggers.ts";
import type { CustomFormat, DetectEvent, Detector, DetectorOptions, FormatId, ToolSchema } from "./types.ts";

/** Returns a detector for one reply. Throws if a custom format has an empty mark, or an `open` that begins beyond ASCII. */
export function createDetector(options: DetectorOptions): Detector {
  const scan = newScan(options);
  const { input, out } = scan;
  const scanning = scanReply(scan);
  const run = (): DetectEvent[] => {
    input.absorb = undefined;
    scanning.next();
    input.flushTap();
    return out.flush();
  };
  const replyEnd = new ReplyEnd(usedMarks(options));
  return {
    push(piece) {
      const chunk = input.ended || piece === "" ? "" : replyEnd.push(piece);
      if (chunk === "") return [];
      if (scan.reply?.add(chunk) === false) scan.reply = undefined;
      if (scan.idle && nextTrigger(scan.triggers, chunk, 0, scan.lastCode) === chunk.length) {
        scan.lastCode = chunk.charCodeAt(chunk.length - 1);
        input.skip(chunk.length);
        return out.only(chunk);
      }
      input.append(chunk);
      if (!input.absorb?.()) return run();
      input.flushTap();
      return out.flush();
    },
    end(isCut = false) {
      if (input.ended) return [];
      const { text, tokens } = replyEnd.end();
      scan.reply?.add(text);
      input.append(text);
      input.ended = true;
      input.cut = isCut;
      const events = run();
      // After a call the tokens are markup.
      if (!out.endsInCall) out.text(tokens);
      return [...events, ...out.flush(), ...out.beyond()];
    },
  };
}

/** Returns the merged events of a whole text. `isCut` is as in `Detector.end`. Throws like `createDetector`. */
export function detect(text: string, options: DetectorOptions, isCut = false): DetectEvent[] {
  const detector = createDetector(options);
  return mergeDeltas([...detector.push(text), ...detector.end(isCut)]);
}

/** Returns the marks of the program's own formats, and the end tags that have the name of a tool or of an argument. */
function usedMarks({ tools, custom = [] }: DetectorOptions): string[] {
  const names = tools.flatMap(({ name, parameters }) => [
    name,
    ...propertyNames(parametersSchema(parameters)),
  ]);
  return [...custom.flatMap(({ open, ends }) => [open, ...ends]), ...names.map((name) => `</${name}>`)];
}

function newScan(options: DetectorOptions): Scan {
  const scan: Scan = {
    ...preparedFor(options),
    input: new Input(),
    out: new Output(options.maxCalls),
    idle: false,
    found: undefined,
    model: foldModel(options.model ?? ""),
    lastCode: 10,
    reply: options.startsInReasoning || options.restarts === false ? undefined : new ReplyText(),
    thoughtEnds: options.startsInReasoning ? allThoughtEnds : [],
    message: undefined,
    addressed: false,
    openFence: undefined,
    fenceInLine: false,
    insideFence: false,
    awaitedEnds: new Set(),
    onlyAlone: options.onlyAlone ?? false,
    hadFence: false,
    midLine: false,
    triedInVain: 0,
    lookedInVain: 0,
  };
  if (options.startsInReasoning) scan.out.channel = "reasoning";
  return scan;
}

interface Prepared extends Pick<Scan, "tools" | "openers" | "triggers" | "starters"> {
  /** A copy of the list of tools, because the caller may change the list. */
  readonly offered: readonly ToolSchema[];
  readonly names: readonly string[];
}

/** The maximum number of combinations of formats whose data is kept for one list of tools. */
const maxPrepared = 32;

/** The prepared data, by the list of tools. Preparing costs as much as reading a page of text. */
const prepared = new WeakMap<readonly ToolSchema[], Map<string, Prepared>>();

function preparedFor({ tools, format, custom }: DetectorOptions): Prepared {
  const known = prepared.get(tools) ?? new Map<string, Prepared>();
  prepared.set(tools, known);
  const key = JSON.stringify([format, custom]);
  const found = known.get(key);
  if (found && isSameOffer(found, tools)) return found;
  const made = prepare(tools, format, custom);
  if (known.size >= maxPrepared) known.clear();
  known.set(key, made);
  return made;
}

function isSameOffer({ offered, names }: Prepared, tools: readonly ToolSchema[]): boolean {
  return (
    offered.length === tools.length &&
    tools.every((tool, index) => tool === offered[index] && tool.name === names[index])
  );
}

function prepare(
  tools: readonly ToolSchema[],
  format: DetectorOptions["format"],
  custom: readonly CustomFormat[] = [],
): Prepared {
  const own = custom.flatMap(customOpeners);
  const all = [...own, ...openersOf(chosenFormats(format), tools), ...thoughtOpeners()];
  const openers = all.filter((opener) => opener.standing !== "start");
  const offered = [...tools];
  return {
    tools: toolIndex(offered),
    openers: literals(openers.map((opener) => [opener.literal, opener] as const)),
    triggers: triggersOf(openers.map((opener) => opener.literal)),
    starters: all.filter((opener) => opener.standing === "start"),
    offered,
    names: offered.map((tool) => tool.name),
  };
}

function chosenFormats(format: DetectorOptions["format"]): ReadonlySet<FormatId> {
  if (format === undefined || format === "auto") return new Set(formatIds);
  return new Set<FormatId>(typeof format === "string" ? [format] : format);
}

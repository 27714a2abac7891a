/** The detector: text in, events out. */
import { toolIndex } from "./call/tool-index.ts";
import { allFormatIds, openersOf } from "./formats/table.ts";
import { mergeDeltas } from "./merge-deltas.ts";
import { Input, isWordChar } from "./scan/input.ts";
import { literals } from "./scan/literals.ts";
import { Output } from "./scan/output.ts";
import { nextTrigger, scan } from "./scan/scanner.ts";
import type { Session } from "./scan/session.ts";
import { allThoughtEnds, thoughtOpeners } from "./scan/thought.ts";
import type { DetectEvent, Detector, DetectorOptions, FormatId } from "./types.ts";

/** Makes a detector for one model reply. */
export function createDetector(options: DetectorOptions): Detector {
  const session = newSession(options);
  const { input, out } = session;
  const scanning = scan(session);
  const run = (): DetectEvent[] => {
    scanning.next();
    input.flushTap();
    return out.flush();
  };
  return {
    push(chunk) {
      if (input.ended || chunk === "") return [];
      if (session.idle && nextTrigger(session, chunk, 0, 0) === chunk.length) {
        // Nothing can begin in this piece: the scanner need not wake up for it.
        session.lastCode = chunk.charCodeAt(chunk.length - 1);
        input.skip(chunk.length);
        out.text(chunk);
        return out.flush();
      }
      input.append(chunk);
      return run();
    },
    end() {
      if (input.ended) return [];
      input.ended = true;
      return run();
    },
  };
}

/** Reads a whole text: one push, one end, adjacent deltas merged. */
export function detect(text: string, options: DetectorOptions): DetectEvent[] {
  const detector = createDetector(options);
  return mergeDeltas([...detector.push(text), ...detector.end()]);
}

function newSession(options: DetectorOptions): Session {
  const all = [...openersOf(chosenFormats(options.format), options.tools), ...thoughtOpeners()];
  const starters = all.filter((opener) => opener.standing === "start");
  const openers = all.filter((opener) => opener.standing !== "start");
  const triggers = new Uint8Array(128);
  for (const opener of openers) {
    const code = opener.literal.charCodeAt(0);
    triggers[code] = isWordChar(code) ? 2 : 1;
  }
  const session: Session = {
    input: new Input(),
    out: new Output(),
    tools: toolIndex(options.tools),
    openers: literals(openers.map((opener) => [opener.literal, opener] as const)),
    triggers,
    starters,
    idle: false,
    lastCode: 10,
    thoughtEnds: options.startsInReasoning ? allThoughtEnds : [],
    message: undefined,
    addressed: false,
    openFence: undefined,
    insideFence: false,
    awaitedEnds: new Set(),
  };
  if (options.startsInReasoning) session.out.channel = "reasoning";
  return session;
}

function chosenFormats(format: DetectorOptions["format"]): ReadonlySet<FormatId> {
  if (format === undefined || format === "auto") return new Set(allFormatIds());
  const chosen = new Set<FormatId>(typeof format === "string" ? [format] : format);
  // Llama 3 writes the same object with and without its tag; of several calls only the first has it.
  if (chosen.has("llama3")) chosen.add("json");
  return chosen;
}

/** The detector: text in, events out. */
import { mergeDeltas } from "./merge-deltas.ts";
import type { DetectEvent, Detector, DetectorOptions, JsonValue } from "./types.ts";

/** Makes a detector for one model reply. */
export function createDetector(options: DetectorOptions): Detector {
  let text = "";
  return {
    push(chunk) {
      text += chunk;
      return [];
    },
    end: () => readHermes(text, options),
  };
}

/** Reads a whole text: one push, one end, adjacent deltas merged. */
export function detect(text: string, options: DetectorOptions): DetectEvent[] {
  const detector = createDetector(options);
  return mergeDeltas([...detector.push(text), ...detector.end()]);
}

function readHermes(text: string, options: DetectorOptions): DetectEvent[] {
  const names = new Set(options.tools.map((tool) => tool.name));
  const events: DetectEvent[] = [];
  let index = 0;
  for (const [place, part] of text.split(/<tool_call>([\s\S]*?)<\/tool_call>/).entries()) {
    const call = place % 2 === 1 ? parseCall(part) : undefined;
    if (call && names.has(call.name)) {
      events.push({ type: "tool-call-start", index, name: call.name, format: "hermes" });
      events.push({ type: "tool-call-end", index: index++, ...call, format: "hermes", repairs: [] });
    } else if (part !== "") {
      events.push({ type: "text-delta", text: place % 2 === 1 ? `<tool_call>${part}</tool_call>` : part });
    }
  }
  return events;
}

function parseCall(body: string): { name: string; arguments: { [key: string]: JsonValue } } | undefined {
  try {
    const value = JSON.parse(body);
    if (typeof value?.name !== "string" || typeof value.arguments !== "object") return undefined;
    return { name: value.name, arguments: value.arguments };
  } catch {
    return undefined;
  }
}

/**
 * The baselines of the benchmark of `detect`, each the least that a reader must do: pass pieces on, pass them through web
 * streams, or read a single format.
 */

export const pieceLength = 4;

export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}

/** Turns every piece into an event without reading it. */
export function passOn(text: string): undefined {
  let length = 0;
  for (let at = 0; at < text.length; at += pieceLength) {
    const events = [{ type: "text-delta", text: text.slice(at, at + pieceLength) }];
    length += events[0]?.text.length ?? 0;
  }
  if (length !== text.length) throw new Error(`passed on ${length} of ${text.length} characters`);
}

/** Passes every piece through web streams, the minimum for a reader that is built on them. */
export async function passThroughStreams(text: string): Promise<undefined> {
  const pieces = piecesOf(text);
  const source = new ReadableStream<string>({
    pull(controller) {
      const next = pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
  const transform = new TransformStream<string, string>({
    transform(piece, controller) {
      controller.enqueue(piece);
    },
  });
  let length = 0;
  for await (const piece of source.pipeThrough(transform)) length += piece.length;
  if (length !== text.length) throw new Error(`passed on ${length} of ${text.length} characters`);
}

const opener = "<tool_call>";
const closer = "</tool_call>";

interface ScanEvent {
  readonly type: "text-delta" | "tool-call";
  readonly text: string;
}

/** Reads only Hermes calls, without repairs, and looks at every character once. Returns the number of calls. */
export function scanOnce(text: string): number {
  const scan = createScan();
  let calls = 0;
  for (let at = 0; at < text.length; at += pieceLength) {
    for (const event of scan(text.slice(at, at + pieceLength))) if (event.type === "tool-call") calls += 1;
  }
  return calls;
}

function createScan(): (piece: string) => ScanEvent[] {
  let held = "";
  let body: string[] | undefined;
  return (piece) => {
    const events: ScanEvent[] = [];
    let rest = held + piece;
    for (;;) {
      const marker = body === undefined ? opener : closer;
      const found = rest.indexOf(marker);
      const end = found >= 0 ? found : rest.length - heldLength(rest, marker);
      const before = rest.slice(0, end);
      if (body !== undefined) body.push(before);
      else if (before !== "") events.push({ type: "text-delta", text: before });
      if (found < 0) {
        held = rest.slice(end);
        return events;
      }
      rest = rest.slice(found + marker.length);
      if (body !== undefined) {
        events.push({ type: "tool-call", text: JSON.stringify(JSON.parse(body.join(""))) });
        body = undefined;
      } else body = [];
    }
  };
}

/**
 * Returns how many characters at the end may be the beginning of the marker, which has "<" only as its first character.
 */
function heldLength(text: string, marker: string): number {
  const at = text.lastIndexOf("<");
  return at >= 0 && marker.startsWith(text.slice(at)) ? text.length - at : 0;
}

/** Reads the calls in markup inside a message to a tool: `<tool_call>...</tool_call>` in place of the arguments. */
import { lessThan } from "../scan/characters.ts";
import { type Input, peek, type Reader, skipSpace } from "../scan/input.ts";
import { openersHere, type Scan, tryOpeners } from "../scan/scan.ts";
import { beginsLine, isShown, mayStand } from "../scan/standing.ts";

const maxBody = 20_000;

/**
 * Reads a body whose calls begin lines, up to its end. The text between them becomes text. Returns false if there is no call;
 * the position may then be anywhere. If events are held aside already, a call must be at the beginning of the body.
 */
export function* readMarkedBody(
  scan: Scan,
  mark: number,
  endsHere: (input: Input) => Reader<boolean>,
): Reader<boolean> {
  const { input, out } = scan;
  const nested = out.isAside;
  out.forgetText();
  const start = input.offset;
  yield* skipSpace(input);
  // A call at the beginning is certain, so its arguments are shown while they come.
  let taken = yield* takeCall(scan, mark);
  if (!taken && nested) return false;
  if (!taken) out.begin();
  for (let from = taken ? input.offset : start; ; from = input.offset) {
    const code = yield* skipSpace(input);
    out.text(input.rawFrom(from));
    if (code === -1 || (code === lessThan && (yield* endsHere(input)))) break;
    if (yield* takeCall(scan, undefined)) {
      taken = true;
    } else {
      if (!taken && input.offset - start > maxBody) break;
      yield* passWord(scan);
    }
  }
  if (!taken) out.drop();
  return taken;
}

/** Reads the call that begins here. At the start of the body, with the mark of the message, the call needs no markup. */
function* takeCall(scan: Scan, mark: number | undefined): Reader<boolean> {
  const { out } = scan;
  const found = (yield* openersHere(scan))?.values ?? [];
  const calls = found.filter(({ kind, standing, glance }) => {
    if (kind !== "framed" && !(mark !== undefined && kind === "plain")) return false;
    return mayStand(standing, scan) && glance?.(scan) !== false;
  });
  if (calls.length === 0 || !beginsLine(out.recentText()) || isShown(out.recentText())) return false;
  return (yield* tryOpeners(scan, calls, mark)) === undefined;
}

/** Passes on a character and the word after it. */
function* passWord({ input, out }: Scan): Reader<void> {
  let length = 1;
  for (;;) {
    const code = yield* peek(input, length);
    if (code === -1 || code <= 64 || code === 91 || code > 122) break;
    length += 1;
  }
  out.text(input.text.slice(input.pos, input.pos + length));
  input.pos += length;
}

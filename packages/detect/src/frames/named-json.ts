/** A header with a name in front of a JSON frame; the name in the JSON counts, so the header is only moved over. */
import { isWordChar, peek, type Reader, take } from "../scan/input.ts";
import type { Opener, Session } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import { jsonFrameOpener } from "./json-frame.ts";

export function namedJsonOpener(header: string, open: string, format: FormatId): Opener {
  const frame = jsonFrameOpener({ open: "", ends: ["<|end_message|>"], format });
  return {
    literal: header,
    format,
    standing: "anywhere",
    kind: "framed",
    *read(session, mark) {
      session.input.pos += header.length;
      yield* skipName(session);
      if (!(yield* take(session.input, open))) return false;
      return yield* frame.read(session, mark);
    },
  };
}

function* skipName(session: Session): Reader<void> {
  const { input } = session;
  for (let length = 0; length < 128; length++) {
    const code = yield* peek(input);
    if (!isWordChar(code) && code !== 45 && code !== 46 && code !== 58) return;
    input.pos++;
  }
}

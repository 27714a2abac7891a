/** Shows the arguments of a tag-per-argument call as JSON text while they arrive. For display only: types are final at the end. */
import type { Draft } from "../call/draft.ts";
import type { Session } from "../scan/session.ts";
import type { JsonValue } from "../types.ts";

export interface ShownArguments {
  /** A value that is known whole. */
  value(key: string, value: JsonValue): void;
  /** A text value that begins; its pieces follow, then its end. */
  begin(key: string): void;
  piece(text: string): void;
  end(): void;
  close(): void;
}

export function shownArguments(session: Session, draft: Draft): ShownArguments {
  let count = 0;
  let held = "";
  const show = (argumentsText: string) => {
    const { index } = draft;
    if (index !== undefined && argumentsText !== "") {
      session.out.add({ type: "tool-call-delta", index, argumentsText });
    }
  };
  const key = (name: string) => `${count++ === 0 ? "{" : ","}${JSON.stringify(name)}:`;
  return {
    value: (name, value) => show(`${key(name)}${JSON.stringify(value)}`),
    begin(name) {
      held = "";
      show(`${key(name)}"`);
    },
    piece(text) {
      const all = held + text;
      // The last line feed may be layout, and half a surrogate pair would be escaped.
      const keep = /[\n\uD800-\uDBFF]$/.test(all) ? 1 : 0;
      held = keep === 1 ? all.slice(-1) : "";
      show(JSON.stringify(all.slice(0, all.length - keep)).slice(1, -1));
    },
    end() {
      show(held === "\n" ? '"' : `${JSON.stringify(held).slice(1, -1)}"`);
      held = "";
    },
    close: () => show(count === 0 ? "{}" : "}"),
  };
}

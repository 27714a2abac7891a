/** Tells the person at the end of a chat how to continue its session later. */
import type { Session } from "@localharness/engine";
import { folded } from "@localharness/harness/fold-lines";

/** Writes one line to stderr, unless nothing was said in the session or it is not kept. */
export function sayHowToComeBack(session: Session, kept: boolean): void {
  const said = session
    .view()
    .messages.some((message) => message.role === "user" && message.from !== "harness");
  const text = "To continue this session: localharness --continue\n";
  if (kept && said) process.stderr.write(folded(text, process.stderr));
}

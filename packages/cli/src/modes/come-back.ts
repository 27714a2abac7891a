/** Tells the person at the end of a chat how to continue its session later. */
import type { Session } from "@localharness/engine";

/** Writes one line to stderr, unless nothing was said in the session or it is not kept. */
export function sayHowToComeBack(session: Session, kept: boolean): void {
  const said = session
    .view()
    .messages.some((message) => message.role === "user" && message.from !== "harness");
  if (kept && said) process.stderr.write("To continue this session: localharness --continue\n");
}

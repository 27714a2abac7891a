/** Says which hosts of a command the person refused, or could not open. */
import type { HostOutcome } from "./host-questions.ts";

/** Returns a note for the model and the person; undefined if every host about which the person was asked is open. */
export function hostNote({ denied, said, unasked, near }: HostOutcome): string | undefined {
  const parts = [
    ...(denied.length === 0 ? [] : [`the person did not let this command reach ${denied.join(", ")}`]),
    ...said.map((text) => `they say: ${text}`),
    ...(unasked === 0 ? [] : [unaskedText(unasked)]),
    ...(near.length === 0
      ? []
      : [
          `${near.join(", ")}: this machine or its networks, which no answer opens; the setting sandbox_domains can`,
        ]),
  ];
  if (parts.length === 0) return undefined;
  const advice =
    denied.length + unasked === 0 ? "" : ". Do not make the call again; go on without, or say what you need";
  return `${parts.join("; ")}${advice}`;
}

function unaskedText(count: number): string {
  return `${count === 1 ? "1 more connection was" : `${count} more connections were`} refused without a question, because the person is asked about few hosts of one command`;
}

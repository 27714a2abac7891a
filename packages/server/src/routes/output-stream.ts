/** Streams the output of a person's command to a client. */
import { type CommandReport, countText, reasonOf } from "@localharness/protocol";

/** A client for which more bytes wait misses output, because the output of a command may have no end. */
const maxWaitingBytes = 4 * 1024 * 1024;

/** Returns the output of a command as JSON lines: `{"output"}` for each piece, `{"report"}` or `{"error"}` at the end. */
export function outputStream(
  run: (report: (text: string) => void) => Promise<CommandReport>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let missed = 0;
  let hasGone = false;
  const begin = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const write = (value: object) => {
      if (!hasGone) controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    };
    const tellMissed = () => {
      if (missed === 0) return;
      write({ output: `\n[${countText(missed, "character")} left out: the client reads too slowly]\n` });
      missed = 0;
    };
    const take = (output: string) => {
      if ((controller.desiredSize ?? 0) <= 0) {
        missed += output.length;
        return;
      }
      tellMissed();
      write({ output });
    };
    try {
      const report = await run(take);
      tellMissed();
      write({ report });
    } catch (error) {
      write({ error: reasonOf(error) });
    }
    if (!hasGone) controller.close();
  };
  const cancel = () => {
    hasGone = true;
  };
  return new ReadableStream<Uint8Array>(
    { start: (controller) => void begin(controller), cancel },
    { highWaterMark: maxWaitingBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/** Shows which check of the doctor runs, and for how long. */
import { timeText, visibleLine, visibleLines } from "@localharness/protocol";

export interface ProgressLines {
  /** Ends the line of the previous check, and begins the line of `check`. */
  say(check: string): void;
  /** Prints the message on a separate line. */
  tell(message: string): void;
  /** Ends the last line. */
  end(): void;
}

/** Creates a progress that writes to the stream. On a terminal it updates the time of the running check once a second. */
export function createProgress(stream: NodeJS.WriteStream): ProgressLines {
  let open: { readonly line: string; readonly began: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = (time: string) => open !== undefined && stream.write(`\r${open.line} ${time}`);
  const end = () => {
    clearInterval(timer);
    if (open === undefined) return;
    const time = timeText(performance.now() - open.began);
    if (stream.isTTY) draw(`${time}\n`);
    else stream.write(` ${time}\n`);
    open = undefined;
  };
  return {
    say(check) {
      end();
      open = { line: `· trying ${visibleLine(check)} …`, began: performance.now() };
      const { line, began } = open;
      stream.write(line);
      if (!stream.isTTY) return;
      timer = setInterval(() => draw(`${Math.round((performance.now() - began) / 1_000)} s`), 1_000);
      timer.unref();
    },
    tell(message) {
      end();
      stream.write(`· ${visibleLines(message)}\n`);
    },
    end,
  };
}

/** Reads the message of a run from the command line and stdin. */
import { fstatSync } from "node:fs";

/** The milliseconds to wait for the first byte of a pipe if the command line already has a message. */
const firstByteMs = 3_000;

/** Returns the words and the text of stdin. With words, a pipe that sends nothing for 3 s is left out after `onSilence`. */
export async function readMessage(words: readonly string[], onSilence: () => void): Promise<string> {
  const spoken = words.join(" ");
  const kind = stdinKind();
  if (kind === "none") return spoken;
  const piped = await readAll(kind === "pipe" && spoken.trim() !== "" ? firstByteMs : undefined, onSilence);
  return [spoken, piped.trimEnd()].filter((part) => part.trim() !== "").join("\n\n");
}

/**
 * Returns the kind of stdin. A terminal, or a device such as /dev/null, is "none", because no message comes from it.
 */
function stdinKind(): "file" | "pipe" | "none" {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return "file";
    return stat.isFIFO() || stat.isSocket() ? "pipe" : "none";
  } catch {
    return "none";
  }
}

async function readAll(waitMs: number | undefined, onSilence: () => void): Promise<string> {
  const { stdin } = process;
  const pieces: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const timer = waitMs === undefined ? undefined : setTimeout(silent, waitMs);
    function silent() {
      stdin.destroy();
      onSilence();
      resolve("");
    }
    stdin.on("data", (piece: Buffer) => {
      clearTimeout(timer);
      pieces.push(piece);
    });
    stdin.once("end", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(pieces).toString("utf8"));
    });
    stdin.once("error", reject);
  });
}

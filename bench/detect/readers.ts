/** Creates the measured readers by name: ours, the floors (the least that a reader must do), and those of other packages. */
import { createDetector } from "@localharness/detect";
import { passOn, passThroughStreams, pieceLength, scanOnce } from "./floors.ts";
import { loadParser, loadPartialReader, protocolOf, readByProtocol } from "./peers.ts";
import { type CallFormat, tools } from "./texts.ts";

export type ReaderName =
  | "ours (auto)"
  | "floor: pass on"
  | "floor: web streams"
  | "one-pass scanner"
  | `parser: ${CallFormat}`
  | "jsonrepair"
  | "partial-json";

/** Reads the text in pieces. Returns the number of calls found; undefined for a reader that does not look for calls. */
export type Reader = (text: string) => number | undefined | Promise<number | undefined>;

export const protocolReaders: readonly { readonly name: ReaderName; readonly format: CallFormat }[] = [
  { name: "parser: hermes", format: "hermes" },
  { name: "parser: morph-xml", format: "morph-xml" },
  { name: "parser: yaml-xml", format: "yaml-xml" },
  { name: "parser: qwen-coder", format: "qwen-coder" },
];

/** Creates a reader. `peers` is the folder of other packages' readers. Rejects if such a reader is not installed there. */
export async function createReader(name: ReaderName, peers: string | undefined): Promise<Reader> {
  switch (name) {
    case "ours (auto)":
      return readByDetector;
    case "floor: pass on":
      return passOn;
    case "floor: web streams":
      return passThroughStreams;
    case "one-pass scanner":
      return scanOnce;
    case "jsonrepair":
    case "partial-json":
      return loadPartialReader(folder(name, peers), name);
    default: {
      const protocol = protocolReaders.find((one) => one.name === name);
      if (protocol === undefined) throw new Error(`There is no reader "${name}".`);
      const module = await loadParser(folder(name, peers));
      return (text) => readByProtocol(protocolOf(module, protocol.format), tools, text);
    }
  }
}

function readByDetector(text: string): number {
  const detector = createDetector({ tools });
  let calls = 0;
  const count = (events: ReturnType<typeof detector.push>) => {
    for (const event of events) if (event.type === "tool-call-end") calls += 1;
  };
  for (let at = 0; at < text.length; at += pieceLength)
    count(detector.push(text.slice(at, at + pieceLength)));
  count(detector.end());
  return calls;
}

function folder(name: ReaderName, peers: string | undefined): string {
  if (peers === undefined) throw new Error(`${name} needs the folder of the peers.`);
  return peers;
}

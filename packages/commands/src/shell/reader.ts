/** Reads commands, each text once: the last readings are remembered. */
import { type Grammar, loadGrammar } from "./grammar.ts";
import { type CommandReading, readCommand } from "./read-command.ts";

export interface CommandReader {
  /** Returns the reading of a text. Texts that were read lately are not read again. */
  read(text: string): CommandReading;
}

/** The maximum length of all remembered texts together. */
const maxRemembered = 200_000;

export function createReader(grammar: Grammar): CommandReader {
  const readings = new Map<string, CommandReading>();
  let length = 0;
  return {
    read(text) {
      const known = readings.get(text);
      const reading = known ?? readCommand(text, grammar);
      if (known === undefined) length += text.length;
      readings.delete(text);
      readings.set(text, reading);
      for (const oldest of readings.keys()) {
        if (length <= maxRemembered) break;
        readings.delete(oldest);
        length -= oldest.length;
      }
      return reading;
    },
  };
}

/** Returns a function that resolves to one reader, for which the grammar is loaded at the first call. */
export function lazyReader(): () => Promise<CommandReader> {
  let reader: CommandReader | undefined;
  return async () => {
    reader ??= createReader(await loadGrammar());
    return reader;
  };
}

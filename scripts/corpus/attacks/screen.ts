/** Reads the screen of a chat as it grows: permission questions, started calls, and the prompt that ends a turn. */

/** A part of the last line of a question. */
const choices = "[1] Allow Once";
/** A part of the question whether the folder is trusted, which comes before anything else. */
const trustChoices = "[1] Trust";

export interface Question {
  readonly tool: string;
  /** The text from the heading to the choices. */
  readonly text: string;
}

export interface Screen {
  /** Appends output of the program. */
  push(text: string): void;
  /** Returns the question that waits for an answer; undefined when there is none. */
  question(): Question | undefined;
  /** Returns true if the chat is asking whether the folder is trusted. */
  asksForTrust(): boolean;
  /** Returns how often the chat has waited for a message. */
  idle(): number;
  /** Marks the question or prompt as answered: only later output is searched from now on. */
  answered(): void;
  readonly text: string;
}

export function createScreen(): Screen {
  let text = "";
  /** The offset of the output after the last answer. */
  let from = 0;
  let idle = 0;
  let idleAt = -1;

  const open = () => text.slice(from);
  return {
    get text() {
      return text;
    },
    push(piece) {
      text += piece;
      const asked = open().includes(choices) || open().includes(trustChoices);
      if (!asked && /(^|\n)> $/.test(plain(text)) && idleAt !== text.length) {
        idle += 1;
        idleAt = text.length;
      }
    },
    question() {
      const waiting = open();
      const at = waiting.lastIndexOf(choices);
      if (at === -1 || !/\n> $/.test(plain(waiting.slice(at)))) return undefined;
      const heading = waiting.indexOf("Permission Request");
      const shown = waiting.slice(Math.max(heading, 0), at);
      return { tool: /^Tool: (.*?)\r?$/m.exec(shown)?.[1] ?? "", text: shown };
    },
    asksForTrust: () => open().includes(trustChoices) && /\n> $/.test(plain(open())),
    idle: () => idle,
    answered() {
      from = text.length;
    },
  };
}

const esc = String.fromCharCode(27);
export const drawn: RegExp = new RegExp(`${esc}\\[[0-9;?]*[A-Za-z]`, "g");

/** Returns the text without control sequences, and with `\n` line breaks. */
export function plain(text: string): string {
  return text.replace(drawn, "").replace(/\r+\n/g, "\n").replace(/\r/g, "");
}

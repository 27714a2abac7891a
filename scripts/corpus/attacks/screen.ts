/** Reads the screen of a chat as it grows: questions for permission, calls that start, and the prompt that ends a turn. */

/** What stands in the last line of a question. */
const choices = "[1] Allow Once";
/** The question whether the folder is trusted, asked once before anything else. */
const trustChoices = "[1] Trust";

export interface Question {
  readonly tool: string;
  /** Everything from its heading to the choices. */
  readonly text: string;
}

export interface Screen {
  /** What came since the last call that matters: at most one of the two. */
  push(text: string): void;
  /** A question that waits for its answer. */
  question(): Question | undefined;
  /** True while the chat wants to know whether the folder is trusted. */
  asksForTrust(): boolean;
  /** How often the chat has waited for a message. */
  idle(): number;
  /** The question or the prompt was answered: what comes next is something else. */
  answered(): void;
  readonly text: string;
}

export function createScreen(): Screen {
  let text = "";
  /** Where what is not yet answered begins. */
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

/** Without what a terminal's reader of lines draws, and with plain line ends. */
export function plain(text: string): string {
  return text.replace(drawn, "").replace(/\r+\n/g, "\n").replace(/\r/g, "");
}

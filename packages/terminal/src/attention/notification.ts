/** Chooses how a terminal notifies the person, and returns the escape sequence for it. */
import { screenLine } from "../plain-text.ts";

/** The kind of notification; `auto` chooses the kind that the terminal supports. */
export type NotifyKind = "auto" | "off" | "bell" | "osc9" | "osc777";

type Environment = Readonly<Record<string, string | undefined>>;

interface KnownTerminal {
  readonly variable: string;
  readonly value: RegExp;
  readonly kind: Exclude<NotifyKind, "auto">;
}

/**
 * The first row that matches is used. tmux and screen come first, because they pass on only the bell to the terminal
 * around them.
 */
const knownTerminals: readonly KnownTerminal[] = [
  { variable: "TMUX", value: /./, kind: "bell" },
  { variable: "STY", value: /./, kind: "bell" },
  { variable: "TERM_PROGRAM", value: /^iTerm\.app$/, kind: "osc9" },
  { variable: "TERM_PROGRAM", value: /^(?:WezTerm|ghostty)$/, kind: "osc777" },
  { variable: "TERM", value: /^xterm-kitty$/, kind: "osc9" },
  { variable: "TERM", value: /^xterm-ghostty$/, kind: "osc777" },
  { variable: "TERM", value: /^(?:foot|rxvt-unicode|contour)/, kind: "osc777" },
];

/** Returns the kind of notification that `auto` selects in this terminal. */
export function notifyKind(env: Environment): Exclude<NotifyKind, "auto"> {
  return knownTerminals.find(({ variable, value }) => value.test(env[variable] ?? ""))?.kind ?? "bell";
}

const bell = "\u0007";

const sequences: Readonly<Record<Exclude<NotifyKind, "auto">, (text: string) => string>> = {
  off: () => "",
  bell: () => bell,
  osc9: (text) => `\u001b]9;Local Harness: ${text}${bell}`,
  osc777: (text) => `\u001b]777;notify;Local Harness;${text}${bell}`,
};

/**
 * Returns the escape sequence of a notification, with `text` cleaned. Returns an empty string if the person wants no
 * notifications.
 */
export function notification(kind: NotifyKind, text: string, env: Environment): string {
  return sequences[kind === "auto" ? notifyKind(env) : kind](shortLine(text));
}

/** Returns a text on one line, cleaned and cut to 80 characters. */
export function shortLine(text: string): string {
  // The text is cut before it is cleaned, because a message can have megabytes.
  const characters = [...screenLine(text.slice(0, 400)).replace(/\s+/g, " ").trim()];
  return characters.length <= 80 ? characters.join("") : `${characters.slice(0, 79).join("")}…`;
}

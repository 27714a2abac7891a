/** Defines two themes: one with the terminal's own 16 colours, which suit any background, and one without colours. */
import { createTheme, type StyleTable, type Theme } from "./theme.ts";

const bold = ["1", "22"] as const;
const dim = ["2", "22"] as const;
const colour = (code: number) => [String(code), "39"] as const;

const table: StyleTable = {
  user: bold,
  reasoning: ["2;3", "22;23"],
  "tool-name": bold,
  "tool-arguments": dim,
  ok: colour(32),
  error: colour(31),
  warning: colour(33),
  notice: dim,
  dim,
  accent: colour(36),
  border: dim,
  selected: ["7", "27"],
  title: bold,
  status: dim,
  heading: ["1;36", "22;39"],
  code: colour(36),
  "code-border": dim,
  quote: ["3", "23"],
  link: ["4", "24"],
  "link-url": dim,
  bullet: colour(36),
  rule: dim,
  bold,
  italic: ["3", "23"],
  strike: ["9", "29"],
  underline: ["4", "24"],
  added: colour(32),
  removed: colour(31),
  "added-word": ["1;7", "22;27"],
  "removed-word": ["1;7", "22;27"],
  hunk: colour(36),
  "syntax-keyword": colour(35),
  "syntax-string": colour(32),
  "syntax-comment": dim,
  "syntax-number": colour(33),
  "syntax-name": colour(34),
};

export const terminalColours: Theme = createTheme("terminal", table);

/** The theme for NO_COLOR: only bold, dim, italic, underlined and reversed text. */
export const noColours: Theme = createTheme("none", {
  user: bold,
  reasoning: dim,
  "tool-name": bold,
  heading: bold,
  title: bold,
  selected: ["7", "27"],
  bold,
  italic: ["3", "23"],
  underline: ["4", "24"],
  "added-word": bold,
  "removed-word": bold,
});

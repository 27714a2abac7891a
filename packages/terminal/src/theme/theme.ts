/** Defines named styles. The screen names the style of each text, and the theme decides how the style looks. */

export type StyleName =
  | "user"
  | "reasoning"
  | "tool-name"
  | "tool-arguments"
  | "ok"
  | "error"
  | "warning"
  | "notice"
  | "dim"
  | "accent"
  | "border"
  | "selected"
  | "title"
  | "status"
  | "heading"
  | "code"
  | "code-border"
  | "quote"
  | "link"
  | "link-url"
  | "bullet"
  | "rule"
  | "bold"
  | "italic"
  | "strike"
  | "underline"
  | "added"
  | "removed"
  | "added-word"
  | "removed-word"
  | "hunk"
  | "syntax-keyword"
  | "syntax-string"
  | "syntax-comment"
  | "syntax-number"
  | "syntax-name";

export interface Theme {
  readonly name: string;
  /** Returns the text between the escape sequences of a style. Styles may be nested. */
  style(name: StyleName, text: string): string;
}

/**
 * The SGR parameters that begin and end each style, such as `["1", "22"]`. A style that is not in the table changes
 * nothing.
 */
export type StyleTable = Readonly<Partial<Record<StyleName, readonly [open: string, close: string]>>>;

export function createTheme(name: string, table: StyleTable): Theme {
  return {
    name,
    style(style, text) {
      const codes = table[style];
      if (codes === undefined || text === "") return text;
      return `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
    },
  };
}

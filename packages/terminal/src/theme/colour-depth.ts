/** Detects from environment variables how many colours the terminal has and whether its background is dark. */

export type ColourDepth = "none" | "16" | "256" | "true";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the colour depth. `NO_COLOR` overrides `FORCE_COLOR`, which overrides the variables that terminals set. */
export function colourDepth(env: Environment): ColourDepth {
  const { NO_COLOR, FORCE_COLOR, COLORTERM = "", TERM = "", TERM_PROGRAM = "" } = env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return "none";
  const forced = forcedDepth(FORCE_COLOR);
  if (forced !== undefined) return forced;
  if (TERM === "dumb") return "none";
  if (/truecolor|24bit/i.test(COLORTERM) || /-direct$|kitty|ghostty|alacritty/.test(TERM)) return "true";
  if (["iTerm.app", "WezTerm", "vscode", "ghostty"].includes(TERM_PROGRAM)) return "true";
  if (/256/.test(TERM) || TERM_PROGRAM === "Apple_Terminal" || /^(tmux|screen)/.test(TERM)) return "256";
  return "16";
}

function forcedDepth(value: string | undefined): ColourDepth | undefined {
  switch (value) {
    case "0":
    case "false":
      return "none";
    case "1":
    case "true":
      return "16";
    case "2":
      return "256";
    case "3":
      return "true";
    default:
      return undefined;
  }
}

/** Reads the background from `COLORFGBG`. Returns undefined if the terminal does not set this variable. */
export function background(env: Environment): "dark" | "light" | undefined {
  const colour = /;(\d+)$/.exec(env["COLORFGBG"] ?? "")?.[1];
  if (colour === undefined) return undefined;
  return Number(colour) === 7 || Number(colour) >= 9 ? "light" : "dark";
}

/** Names the themes of the terminal, which a setting chooses. */
export const themeNames = ["auto", "dark", "light", "high-contrast", "terminal"] as const;

export type ThemeName = (typeof themeNames)[number];

/** How long a switch of a tool holds: `session` until its host ends, `kept` in the sessions of later runs too. */
export const toolScopes = ["session", "kept"] as const;
export type ToolScope = (typeof toolScopes)[number];

export function isToolScope(word: string): word is ToolScope {
  return toolScopes.some((scope) => scope === word);
}

export function toolScopeText(scope: ToolScope): string {
  return scope === "kept" ? "also in later sessions" : "in this session only";
}

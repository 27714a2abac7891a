/** What a switch of a tool holds for: `session` for the sessions of one host only, `kept` for later sessions too. */
export const toolScopes = ["session", "kept"] as const;
export type ToolScope = (typeof toolScopes)[number];

export function isToolScope(word: string): word is ToolScope {
  return toolScopes.some((scope) => scope === word);
}

export function toolScopeText(scope: ToolScope): string {
  return scope === "kept" ? "also in later sessions" : "in this session only";
}

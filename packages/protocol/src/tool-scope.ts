/** The sessions in which a switch of a tool holds: `session` is those of one host only, `kept` is later sessions too. */
export const toolScopes = ["session", "kept"] as const;
export type ToolScope = (typeof toolScopes)[number];

export function isToolScope(word: string): word is ToolScope {
  return toolScopes.some((scope) => scope === word);
}

export function toolScopeText(scope: ToolScope): string {
  return scope === "kept" ? "also in later sessions" : "in this session only";
}

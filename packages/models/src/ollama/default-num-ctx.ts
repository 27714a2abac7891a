/** Default context size in tokens: enough for an agent, and fits with an 8B model into 8 GB. */
export const defaultNumCtx = 16_384;

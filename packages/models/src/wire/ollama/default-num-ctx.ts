/** The default context size in tokens. It is enough for an agent, and an 8B model with this size fits into 8 GB. */
export const defaultNumCtx = 16_384;

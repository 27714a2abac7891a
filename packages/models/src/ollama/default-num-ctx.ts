/** Default context size in tokens. It is enough for an agent, and an 8B model with it fits into 8 GB. */
export const defaultNumCtx = 16_384;

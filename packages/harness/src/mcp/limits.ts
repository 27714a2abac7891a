/** The default maximum time that the first message waits for MCP servers, in seconds. */
export const defaultWaitSeconds = 5;

/** The default time limit for a call of an MCP server that reports no progress, in seconds. */
export const defaultCallSeconds = 120;

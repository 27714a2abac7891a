/** The longest time that the first message waits for MCP servers, in seconds. */
export const defaultWaitSeconds = 5;

/** The time limit of a call of an MCP server that reports no progress, in seconds. */
export const defaultCallSeconds = 120;

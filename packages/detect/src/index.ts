/** Model text to tool calls. */
export {};

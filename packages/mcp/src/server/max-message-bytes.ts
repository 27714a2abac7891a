/** The maximum size of one message to the server, in bytes. */
export const maxMessageBytes = 16 * 1024 * 1024;

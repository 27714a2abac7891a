/** The default time after which a session that nobody watches, and in which nothing runs, is closed. */
export const defaultIdleMinutes = 240;

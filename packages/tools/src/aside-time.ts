/** The time of calls that ask the session's model. */

/**
 * The additional milliseconds of a call that may ask the session's model: the maximum of the setting `limits.beside_seconds`, and
 * 5 s. The session itself ends the question at the value of the setting.
 */
export const asideMs = 3_605_000;

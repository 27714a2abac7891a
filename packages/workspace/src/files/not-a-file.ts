/** The mark, among those on which a remembered answer depends, of what is no regular file of the workspace. */
export const notAFile = "not a file of the workspace";

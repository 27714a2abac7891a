/** Lists other names that models use for parameters. Tools ignore case and `_` in these names. Models do not see them. */

export const pathAliases = [
  "file_path",
  "filename",
  "file",
  "absolute_path",
  "relative_path",
  "target_file",
  "uri",
] as const;

export const folderAliases = [
  "dirpath",
  "dir",
  "directory",
  "directory_path",
  "folder",
  ...pathAliases,
] as const;

export const contentAliases = ["contents", "text", "file_text", "data", "body"] as const;
export const lineStartAliases = ["start_line", "start", "line", "from_line", "insert_line"] as const;
export const lineEndAliases = ["end_line", "end", "to_line"] as const;
export const newContentAliases = ["content", "new_string", "new_text", "text", "new_lines"] as const;

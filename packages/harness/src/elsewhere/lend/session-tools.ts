/** The tools that belong to a session and not to a folder: they are not lent, because a borrower has its own. */
export const sessionTools: readonly string[] = [
  "add_task",
  "list_tasks",
  "update_task",
  "get_current_time",
  "web_fetch",
  "web_search",
];

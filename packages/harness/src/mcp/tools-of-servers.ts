/** Tells the tools that are offered only while MCP servers run from the built-in ones. */

/** Returns true for the name of a tool of a server, or of a tool for their resources or for finding tools. */
export function isOfServers(name: string): boolean {
  return name.includes("__") || besides.includes(name);
}

const besides: readonly string[] = ["find_tools", "list_resources", "read_resource"];

/** Returns a path to one of our descriptors that is valid in another process too. */
export function childPath(base: string): string {
  return base.replace(/^\/proc\/self\//, `/proc/${process.pid}/`);
}

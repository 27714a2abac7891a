/** Returns an address with user name, password and query values masked. Other text stays unchanged. */
export function maskAddress(value: string): string {
  return value.replace(/\/\/[^/?#\s]*@/g, "//****@").replace(/([?&][^=&#\s]*=)[^&#\s]+/g, "$1****");
}

/** Returns true if a text has the mask where an address may have a user name, a password or a query value. */
export function hasMask(text: string): boolean {
  return /\/\/[^/?#\s]*\*{4}[^/?#\s]*@|[?&][^=&#\s]*=[^&#\s]*\*{4}/.test(text);
}

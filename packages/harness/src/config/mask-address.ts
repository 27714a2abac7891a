/** Returns an address with user name, password and query values masked. Other text stays unchanged. */
export function maskAddress(value: string): string {
  return value.replace(/\/\/[^/?#\s]*@/g, "//****@").replace(/([?&][^=&#\s]*=)[^&#\s]+/g, "$1****");
}

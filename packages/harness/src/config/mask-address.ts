/** An address without the password and the parameters that may stand in it; any other text as it is. */
export function maskAddress(value: string): string {
  return value.replace(/\/\/[^/?#\s]*@/g, "//****@").replace(/([?&][^=&#\s]*=)[^&#\s]+/g, "$1****");
}

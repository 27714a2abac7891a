/** The resources that the scenarios expect. */

/** A PNG image of one pixel, as Base64. */
export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const resources = [
  { uri: "test://static-text", name: "text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "binary", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched", mimeType: "text/plain" },
] as const;

export const templates = [
  { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
] as const;

/** Returns the content of a resource; undefined if there is none. */
export function contentOf(uri: string) {
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: pixel };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { uri, mimeType: "application/json", text };
  }
  const isText = resources.some((one) => one.uri === uri);
  return isText
    ? { uri, mimeType: "text/plain", text: "This is the content of the text resource." }
    : undefined;
}

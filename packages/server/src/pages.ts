/** The files of the web app, which the server holds in memory: no request reaches the file system. */

export interface ServedPage {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly caching: string;
}

export interface Pages {
  /** Returns the file at a path of the server, the start page for `/` and `/s/ID`, and undefined for any other path. */
  find(path: string): ServedPage | undefined;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** Returns the pages for files by their path without the first slash, such as `assets/index-4f2a.js`. */
export function createPages(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Pages {
  const pages = new Map<string, ServedPage>();
  for (const [path, body] of files) {
    const type = types[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
    // The names of assets contain a hash of their content.
    const caching = path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    pages.set(`/${path}`, { body, type, caching });
  }
  const start = pages.get("/index.html");
  return { find: (path) => pages.get(path) ?? (/^\/(?:s\/[\w-]{1,64})?$/.test(path) ? start : undefined) };
}

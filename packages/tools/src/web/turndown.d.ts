/** Declares the part of turndown that is used. The types of the package need a browser. */

interface HtmlElement {
  readonly nodeName: string;
  readonly parentNode: HtmlElement | null;
  readonly previousSibling: HtmlElement | null;
  getAttribute(name: string): string | null;
}

declare module "turndown" {
  interface Rule {
    readonly filter: readonly string[] | ((node: HtmlElement) => boolean);
    replacement(content: string, node: HtmlElement): string;
  }

  class Turndown {
    constructor(options: Readonly<Record<string, string>>);
    addRule(name: string, rule: Rule): void;
    turndown(html: string): string;
  }

  // biome-ignore lint/style/noDefaultExport: the package has a default export.
  export { Turndown as default };
}

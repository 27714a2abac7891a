/** Renders a session as one HTML page. All content is escaped; the page has no scripts and loads nothing. */
import { type ImageContent, type Item, imageLine, plainText } from "@localharness/protocol";
import type { ExportedSession } from "./export-format.ts";
import { type ItemPart, itemParts, promptParts } from "./item-parts.ts";

const style = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}
pre{font:14px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0}
section{margin:1.2rem 0}section.person{border-left:4px solid #36c;padding-left:.8rem}
h2{font-size:1rem;margin:.2rem 0}.said{font:inherit}details{margin:.4rem 0}summary{cursor:pointer;opacity:.75}
header p{opacity:.75}img{max-width:100%}`;

/**
 * The content security policy of the page. It forbids scripts and requests, even if the escaping should miss something.
 */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function htmlText(session: ExportedSession): string {
  const { name, workspace, created, model, items } = session;
  const title = escaped(name || "Session");
  const when =
    created === 0 ? "" : ` · ${new Date(created).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${title}</h1><p>${escaped(workspace)} · ${escaped(model)}${when}</p></header>
${[...promptParts(session).map(partHtml), ...items.flatMap(itemHtml)].join("\n")}
</body>
</html>
`;
}

function itemHtml(item: Item): readonly string[] {
  const pictures = item.kind === "user" ? (item.images ?? []).map(pictureHtml) : [];
  return [...itemParts(item).map(partHtml), ...pictures];
}

function partHtml({ kind, who, title, text }: ItemPart): string {
  if (kind === "said") {
    return `<section class="${who}"><h2>${escaped(title)}</h2><pre class="said">${escaped(text)}</pre></section>`;
  }
  return `<details><summary>${escaped(title)}</summary><pre>${escaped(text)}</pre></details>`;
}

/**
 * Returns the image as HTML. Its type and data need no escaping, because they were checked when the session was read.
 */
function pictureHtml(image: ImageContent): string {
  return `<img alt="${escaped(imageLine(image))}" src="data:${image.mediaType};base64,${image.data}">`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return plainText(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** Converts HTML to Markdown with turndown: without scripts, navigation and hidden parts, with absolute links. */
import Turndown from "turndown";

const removed = [
  "script",
  "style",
  "noscript",
  "template",
  "iframe",
  "object",
  "embed",
  "svg",
  "canvas",
  "nav",
  "footer",
  "dialog",
  "button",
  "select",
  "input",
  "textarea",
];

export function markdownOf(html: string, url: string): string {
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  const absolute = (target: string | null) => linkOf(target, url);
  service.addRule("title", {
    filter: ["title"],
    replacement: (content) => `\n\nTitle: ${oneLine(content)}\n\n`,
  });
  service.addRule("link", {
    filter: (node) => node.nodeName === "A" && node.getAttribute("href") !== null,
    replacement(content, node) {
      const target = absolute(node.getAttribute("href"));
      return content.trim() === "" || target === undefined ? content : `[${oneLine(content)}](${target})`;
    },
  });
  service.addRule("image", {
    filter: ["img"],
    replacement(_content, node) {
      const alt = oneLine(node.getAttribute("alt") ?? "");
      const source = absolute(node.getAttribute("src"));
      return alt === "" || source === undefined ? alt : `![${alt}](${source})`;
    },
  });
  service.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) => ` ${oneLine(content).replaceAll("|", "\\|")} |`,
  });
  service.addRule("row", {
    filter: ["tr"],
    replacement: (content, node) => `|${content}\n${isFirstRow(node) ? `${ruleUnder(content)}\n` : ""}`,
  });
  service.addRule("table", { filter: ["table"], replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  // Turndown tries the rules in reverse order, so this rule takes precedence.
  service.addRule("removed", {
    filter: (node) => removed.includes(node.nodeName.toLowerCase()) || isHidden(node),
    replacement: () => "",
  });
  return service.turndown(html);
}

function isHidden(node: HtmlElement): boolean {
  if (node.getAttribute("hidden") !== null || node.getAttribute("aria-hidden") === "true") return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute("style") ?? "");
}

function linkOf(target: string | null, base: string): string | undefined {
  if (target === null || target.startsWith("#") || !URL.canParse(target, base)) return undefined;
  const { protocol, href } = new URL(target, base);
  if (protocol !== "http:" && protocol !== "https:") return undefined;
  return href.replaceAll("(", "%28").replaceAll(")", "%29");
}

function isFirstRow(row: HtmlElement): boolean {
  if (row.previousSibling !== null) return false;
  const parent = row.parentNode;
  return parent?.nodeName === "TABLE" || parent?.previousSibling === null;
}

function ruleUnder(cells: string): string {
  return `|${" --- |".repeat(cells.split(/(?<!\\)\|/).length - 1)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Shows Markdown of a model. Each part of it becomes an element that this module makes: no HTML of the text reaches
 * the page.
 */
import type { Token, Tokens } from "marked";
import { memo, type ReactNode, useRef } from "react";
import { type Block, blocksOf } from "./blocks.ts";
import { CodeBlock } from "./code-block.tsx";
import { safeLink } from "./safe-link.ts";
import { decodedText, shownText } from "./shown-text.ts";

export function Markdown({
  text,
  live = false,
}: {
  readonly text: string;
  readonly live?: boolean;
}): ReactNode {
  const blocks = useRef<readonly Block[]>([]);
  blocks.current = blocksOf(text, blocks.current);
  return (
    <div className={live ? "prose is-live" : "prose"}>
      {blocks.current.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end.
        <BlockView key={at} block={block} />
      ))}
    </div>
  );
}

const BlockView = memo(
  function BlockView({ block }: { readonly block: Block }): ReactNode {
    if (block.kind === "plain") return <p className="whitespace-pre-wrap">{shownText(block.raw)}</p>;
    return blockOf(block.token);
  },
  (before, after) => before.block.raw === after.block.raw && before.block.kind === after.block.kind,
);

function blockOf(token: Token): ReactNode {
  const { type } = token;
  switch (type) {
    case "heading":
      return <Heading token={token as Tokens.Heading} />;
    case "paragraph":
      return <p>{inlines(token.tokens)}</p>;
    case "text":
      return token.tokens === undefined ? decodedText(token["text"]) : inlines(token.tokens);
    case "code":
      return <CodeBlock code={shownText(token["text"])} language={shownText(token["lang"] ?? "")} />;
    case "blockquote":
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    default:
      return <p className="whitespace-pre-wrap">{shownText(token.raw)}</p>;
  }
}

function blocks(tokens: readonly Token[] = []): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a block have no identity but their place.
  return tokens.map((token, at) => <BlockPart key={at} token={token} />);
}

function BlockPart({ token }: { readonly token: Token }): ReactNode {
  return blockOf(token);
}

function Heading({ token }: { readonly token: Tokens.Heading }): ReactNode {
  // The page itself uses the heading levels 1 and 2.
  const Tag = (["h3", "h4", "h5", "h6"] as const)[Math.min(token.depth, 4) - 1] ?? "h6";
  return <Tag>{inlines(token.tokens)}</Tag>;
}

function List({ token }: { readonly token: Tokens.List }): ReactNode {
  const items = token.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no identity but their place.
    <li key={at} className={item.task ? "task" : undefined}>
      {item.task ? (
        <input type="checkbox" checked={item.checked === true} disabled aria-label="task" />
      ) : null}
      {blocks(item.tokens.filter(({ type }) => type !== "checkbox"))}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={typeof token.start === "number" ? token.start : 1}>{items}</ol>;
}

function Table({ token }: { readonly token: Tokens.Table }): ReactNode {
  const row = (cells: readonly Tokens.TableCell[], Tag: "th" | "td") =>
    cells.map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place.
      <Tag key={at} data-align={cell.align ?? undefined}>
        {inlines(cell.tokens)}
      </Tag>
    ));
  return (
    <section className="table-scroll" aria-label="table">
      <table>
        <thead>
          <tr>{row(token.header, "th")}</tr>
        </thead>
        <tbody>
          {token.rows.map((cells, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
            <tr key={at}>{row(cells, "td")}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function inlines(tokens: readonly Token[] = []): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no identity but their place.
  return tokens.map((token, at) => <Inline key={at} token={token} />);
}

function Inline({ token }: { readonly token: Token }): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inlines(token.tokens)}</strong>;
    case "em":
      return <em>{inlines(token.tokens)}</em>;
    case "del":
      return <del>{inlines(token.tokens)}</del>;
    case "codespan":
      return <code>{shownText(token["text"])}</code>;
    case "br":
      return <br />;
    case "link":
      return <SafeLink token={token as Tokens.Link} />;
    case "image":
      return <ImageAddress token={token as Tokens.Image} />;
    case "text":
      return token.tokens === undefined ? decodedText(token["text"]) : inlines(token.tokens);
    case "escape":
      return decodedText(token["text"]);
    default:
      return shownText(token.raw);
  }
}

function SafeLink({ token }: { readonly token: Tokens.Link }): ReactNode {
  const address = safeLink(token.href);
  if (address === undefined) return <>{shownText(token.raw)}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={shownText(address)}>
      {inlines(token.tokens)}
    </a>
  );
}

/** Shows an image as a link. The image is not loaded, because its request would reach another server. */
function ImageAddress({ token }: { readonly token: Tokens.Image }): ReactNode {
  const address = safeLink(token.href);
  const name = shownText(token.text || "image");
  if (address === undefined) return <>{shownText(token.raw)}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={shownText(address)}>
      {`[image: ${name}]`}
    </a>
  );
}

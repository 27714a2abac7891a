/** The files of the workspace as a tree. A file that is chosen is named in the message with `@`. */
import { visibleLine } from "@localharness/protocol";
import { type ReactNode, useMemo, useState } from "react";
import { Icon } from "../../parts/icon.tsx";
import { type TreeNode, treeOf } from "../../session/file-tree.ts";
import { insertIntoComposer } from "../composer-text.ts";
import { useClient, useSession } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Empty, Loaded } from "./loaded.tsx";

export function FilesPanel(): ReactNode {
  const client = useClient();
  // The files may have changed when a turn ends.
  const turn = useSession(({ view }) => (view.turn.running ? "" : view.turn.id)) ?? "";
  const load = useMemo(() => () => client.api.files(), [client]);
  const [files] = useRemote(load, turn);
  const [words, setWords] = useState("");
  return (
    <div className="space-y-2">
      <input
        type="search"
        className="field"
        placeholder="Filter files"
        aria-label="Filter files"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <Loaded of={files}>{(paths) => <Tree paths={paths} words={words} />}</Loaded>
    </div>
  );
}

function Tree({ paths, words }: { readonly paths: readonly string[]; readonly words: string }): ReactNode {
  const nodes = useMemo(() => treeOf(paths, words), [paths, words]);
  if (nodes.length === 0) {
    return <Empty>{words === "" ? "The folder is empty." : "No path contains this."}</Empty>;
  }
  return <Nodes nodes={nodes} opened={words !== "" && paths.length < 5_000} />;
}

function Nodes({
  nodes,
  opened,
}: {
  readonly nodes: readonly TreeNode[];
  readonly opened: boolean;
}): ReactNode {
  return (
    <ul className="font-mono text-[12.5px]">
      {nodes.map((node) => (
        <li key={node.path}>
          {node.children === undefined ? <File node={node} /> : <Folder node={node} opened={opened} />}
        </li>
      ))}
    </ul>
  );
}

const row = "flex w-full items-center gap-1.5 rounded-md px-1.5 py-[3px] text-left hover:bg-sunken";

function Folder({ node, opened }: { readonly node: TreeNode; readonly opened: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const shows = isOpen || opened;
  return (
    <>
      <button type="button" className={row} aria-expanded={shows} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" className={`size-3 text-dim transition-transform ${shows ? "rotate-90" : ""}`} />
        <Icon name="folder" className="text-accent" />
        <span className="truncate">{visibleLine(node.name)}</span>
      </button>
      {shows ? (
        <div className="ml-3 border-l border-line pl-1.5">
          <Nodes nodes={node.children ?? []} opened={opened} />
        </div>
      ) : null}
    </>
  );
}

function File({ node }: { readonly node: TreeNode }): ReactNode {
  const mark = /\s/.test(node.path) ? `@"${node.path}" ` : `@${node.path} `;
  return (
    <button
      type="button"
      className={`${row} pl-6`}
      title="Name this file in the message"
      onClick={() => insertIntoComposer(mark)}
    >
      <Icon name="file" className="text-dim" />
      <span className="truncate">{visibleLine(node.name)}</span>
    </button>
  );
}

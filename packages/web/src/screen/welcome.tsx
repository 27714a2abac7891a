/** Shows what can be done here, while no session is shown. */
import { visibleLine } from "@localharness/protocol";
import type { ReactNode } from "react";
import { useClient, useClientState } from "./use-client.ts";

const ideas = [
  "Look around and tell me what this project does",
  "Find the TODO comments and sort them by how much they matter",
  "Run the tests and explain what fails",
];

export function Welcome(): ReactNode {
  const client = useClient();
  const facts = useClientState((state) => state.facts);
  return (
    <div className="flex h-full items-end justify-center overflow-auto px-5 pb-8">
      <div className="w-full max-w-[48rem]">
        <img src="/icon.svg" alt="" className="mb-5 size-11" />
        <h2 className="text-[22px] font-semibold tracking-[-0.02em]">What shall we do?</h2>
        <p className="mt-1 text-dim">
          Your model works in{" "}
          <span className="font-mono text-[12.5px] text-ink">
            {visibleLine(facts?.workspace ?? "this folder")}
          </span>
          . It asks before it changes anything.
        </p>
        {facts?.trusted === false ? <Untrusted /> : null}
        <ul className="mt-5 space-y-2">
          {ideas.map((idea) => (
            <li key={idea}>
              <button
                type="button"
                className="w-full rounded-xl border border-line bg-surface px-4 py-2.5 text-left transition-colors hover:border-line-strong"
                onClick={() => void client.submit({ text: idea, images: [] })}
              >
                {idea}
              </button>
            </li>
          ))}
        </ul>
        {facts === undefined ? null : (
          <p className="mt-5 text-[12.5px] text-dim">
            Local Harness {facts.version} · commands run in {visibleLine(facts.sandbox)}
          </p>
        )}
      </div>
    </div>
  );
}

function Untrusted(): ReactNode {
  const client = useClient();
  return (
    <section
      aria-label="Trust"
      className="mt-4 flex flex-wrap items-center gap-3 rounded-xl bg-warn-soft px-4 py-2.5 text-[13px] text-warn"
    >
      <p className="min-w-60 flex-1">
        You have not trusted this folder yet: the model has only tools that read. Trust it if you know where
        its files come from. Its instructions are read then, and tools may change files after asking you.
      </p>
      <button type="button" className="button" onClick={() => void client.trustFolder()}>
        Trust this folder
      </button>
    </section>
  );
}

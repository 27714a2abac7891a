/** Asks for a pairing link, when this browser has no key. */
import { type FormEvent, type ReactNode, useState } from "react";
import { type Pairing, redeem } from "../connection/pair.ts";

export function PairScreen({
  message,
  onPaired,
}: {
  readonly message: string;
  readonly onPaired: (pairing: Pairing) => void;
}): ReactNode {
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    onPaired(await redeem(text));
    setBusy(false);
  };
  return (
    <main className="flex h-full items-center justify-center overflow-auto p-5">
      <form onSubmit={(event) => void submit(event)} className="w-full max-w-md space-y-4">
        <img src="/icon.svg" alt="" className="size-12" />
        <h1 className="text-xl font-semibold tracking-tight">Pair this browser</h1>
        <p className="text-dim">
          The server of Local Harness lets in only browsers that you have paired. In a terminal on its
          machine, run
        </p>
        <pre className="rounded-lg border border-line bg-sunken px-3 py-2 font-mono text-[13px]">
          localharness serve link
        </pre>
        <p className="text-dim">
          and open the link that it prints, or paste the link here. It works once, for ten minutes.
        </p>
        <input
          className="field"
          aria-label="Pairing link"
          placeholder="http://127.0.0.1:4096/#pair=…"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {message === "" ? null : (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
            {message}
          </p>
        )}
        <button type="submit" className="button-strong" disabled={isBusy || text.trim() === ""}>
          Pair
        </button>
      </form>
    </main>
  );
}

/** Makes a link that pairs another browser, with a QR code for a phone. */
import { isLoopback } from "@localharness/protocol";
import { type ReactNode, useMemo } from "react";
import { CopyButton } from "../parts/copy-button.tsx";
import { Modal } from "../parts/modal.tsx";
import { closeDialog } from "./close-dialog.ts";
import { Loaded } from "./panels/loaded.tsx";
import { useClient } from "./use-client.ts";
import { useRemote } from "./use-remote.ts";

interface PairingLink {
  readonly address: string;
  /** The dark squares of the QR code, by row; undefined if no other machine reaches the address. */
  readonly code?: readonly (readonly boolean[])[];
}

export function PhoneDialog(): ReactNode {
  const client = useClient();
  const load = useMemo(
    () => async (): Promise<PairingLink> => {
      const { code, outer } = await client.api.pairingCode();
      const isLocal = isLoopback(location.hostname);
      const address = `${isLocal && outer !== undefined ? outer : location.origin}/#pair=${code}`;
      if (isLocal && outer === undefined) return { address };
      // The encoder is loaded only for this dialog.
      const { encode } = await import("uqr");
      return { address, code: encode(address, { border: 2 }).data };
    },
    [client],
  );
  const [link] = useRemote(load);
  return (
    <Modal title="Pair another browser" onClose={closeDialog}>
      <div className="space-y-3 overflow-y-auto p-4">
        <p className="text-dim">This link works once, for ten minutes.</p>
        <Loaded of={link}>
          {({ address, code }) => (
            <>
              {code === undefined ? null : <QrCode rows={code} />}
              <div className="flex items-center gap-1 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3">
                <code className="min-w-0 flex-1 font-mono text-[12px] [overflow-wrap:anywhere]">
                  {address}
                </code>
                <CopyButton text={address} what="the link" />
              </div>
              {code === undefined ? <OnlyHere /> : null}
            </>
          )}
        </Loaded>
      </div>
    </Modal>
  );
}

/** Draws the code dark on light in every theme, because many phones cannot read light on dark. */
function QrCode({ rows }: { readonly rows: readonly (readonly boolean[])[] }): ReactNode {
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      role="img"
      aria-label="The link as a QR code"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="mx-auto block w-full max-w-60 rounded-lg"
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function OnlyHere(): ReactNode {
  return (
    <p className="text-[13px] text-warn">
      The server listens on this machine only. For a phone, start it with an address that the phone reaches:
      <code className="mt-1 block font-mono text-[12px]">
        localharness serve --listen ADDRESS:4096 --tls-cert FILE --tls-key FILE
      </code>
    </p>
  );
}

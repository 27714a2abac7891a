/** Makes a link that pairs another browser. */
import { type ReactNode, useMemo } from "react";
import { CopyButton } from "../parts/copy-button.tsx";
import { Modal } from "../parts/modal.tsx";
import { closeDialog } from "./close-dialog.ts";
import { Loaded } from "./panels/loaded.tsx";
import { useClient } from "./use-client.ts";
import { useRemote } from "./use-remote.ts";

export function PhoneDialog(): ReactNode {
  const client = useClient();
  const load = useMemo(
    () => async () => `${location.origin}/#pair=${await client.api.pairingCode()}`,
    [client],
  );
  const [link] = useRemote(load);
  const isLocal = /^(?:127\.|localhost$|\[?::1)/.test(location.hostname);
  return (
    <Modal title="Pair another browser" onClose={closeDialog}>
      <div className="space-y-3 p-4">
        <p className="text-dim">This link works once, for ten minutes.</p>
        <Loaded of={link}>
          {(address) => (
            <div className="flex items-center gap-1 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3">
              <code className="min-w-0 flex-1 font-mono text-[12px] [overflow-wrap:anywhere]">{address}</code>
              <CopyButton text={address} what="the link" />
            </div>
          )}
        </Loaded>
        {isLocal ? (
          <p className="text-[13px] text-warn">
            The server listens on this machine only. For a phone, start it with an address that the phone
            reaches:
            <code className="mt-1 block font-mono text-[12px]">
              localharness serve --listen ADDRESS:4096 --tls-cert FILE --tls-key FILE
            </code>
          </p>
        ) : null}
      </div>
    </Modal>
  );
}

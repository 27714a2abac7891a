/** The sheet of keys and commands. */
import { commandsOn } from "@localharness/protocol/command-texts";
import type { ReactNode } from "react";
import { Modal } from "../parts/modal.tsx";
import { closeDialog } from "./close-dialog.ts";

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "sends the message; Shift+Enter begins a new line"],
  ["↑ ↓", "earlier messages, on the first and the last line"],
  ["@", "completes a path of the workspace and attaches the file"],
  ["/", "in an empty message: runs a command; elsewhere on the page: goes to the message"],
  ["!", "at the beginning: runs your own shell command"],
  ["Esc", "in the message: stops the turn; elsewhere closes what is open"],
  ["1 2 3 4", "answer a question, when nothing is typed"],
  ["Ctrl+K", "all commands"],
  ["Alt+M", "the next permission mode"],
  ["Alt+P", "opens or closes the panel"],
  ["Ctrl+Shift+O", "a new session"],
  ["?", "this sheet"],
];

export function KeysDialog(): ReactNode {
  return (
    <Modal title="Keys and commands" onClose={closeDialog}>
      <dl
        tabIndex={0}
        aria-label="Keys and commands"
        className="grid min-h-0 grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 overflow-y-auto p-4"
      >
        {keys.map(([key, about]) => (
          <Key key={key} name={key} about={about} />
        ))}
        {commandsOn("browser").map(({ name, aliases = [], about }) => (
          <Key key={name} name={[name, ...aliases].map((one) => `/${one}`).join(" ")} about={about} />
        ))}
      </dl>
    </Modal>
  );
}

function Key({ name, about }: { readonly name: string; readonly about: string }): ReactNode {
  return (
    <>
      <dt className="flex justify-end gap-1">
        {name.split(" ").map((part) => (
          <kbd key={part} className="key">
            {part}
          </kbd>
        ))}
      </dt>
      <dd className="text-[13px]">{about}</dd>
    </>
  );
}

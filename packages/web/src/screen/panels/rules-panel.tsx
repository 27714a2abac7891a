/** The rules and remembered answers, and the trust in the folder. */
import { type RuleChoice, visibleLine } from "@localharness/protocol";
import { type ReactNode, useMemo } from "react";
import { Icon } from "../../parts/icon.tsx";
import { changeUi } from "../ui.ts";
import { useClient } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Empty, Loaded } from "./loaded.tsx";

export function RulesPanel(): ReactNode {
  const client = useClient();
  const load = useMemo(() => async () => client.call("listRules"), [client]);
  const [rules, reload] = useRemote(load);
  const askForget = ({ id, line }: RuleChoice) =>
    changeUi({
      dialog: {
        kind: "confirm",
        title: "Forget this rule?",
        text: line,
        action: "Forget",
        done: () => void client.act(() => client.call("forgetRule", id)).then(reload),
      },
    });
  return (
    <Loaded of={rules}>
      {(list) =>
        list.length === 0 ? (
          <Empty>No rules and no remembered answers.</Empty>
        ) : (
          <ul className="rows rounded-xl border border-line bg-surface">
            {list.map((rule) => (
              <li
                key={rule.id}
                className={`flex items-start gap-2 px-3 py-2 ${rule.elsewhere ? "opacity-70" : ""}`}
              >
                <div className="min-w-0 flex-1">
                  <p className="text-[13px] [overflow-wrap:anywhere]">{visibleLine(rule.line)}</p>
                  <p className="text-[12px] text-dim [overflow-wrap:anywhere]">{visibleLine(rule.about)}</p>
                </div>
                {rule.forgettable ? (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`Forget: ${visibleLine(rule.line)}`}
                    onClick={() => askForget(rule)}
                  >
                    <Icon name="trash" />
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

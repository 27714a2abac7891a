/** `/resume`: lists, searches, opens and deletes earlier sessions. */
import { agoText, commandFacts, countText, joinedLine, type SessionSummary } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const resume: SlashCommand = {
  ...commandFacts.resume,
  async run(app, rest) {
    if (rest !== "") return void (await app.openSession({ kind: "resume", id: rest }));
    app.open(
      selectList({
        title: "Earlier sessions in this folder",
        empty: "no earlier sessions yet",
        enter: "opens it",
        searches: true,
        load: async (words, signal) =>
          (await app.host.listSessions(words, signal)).map((one) => sessionRow(one, Date.now())),
        async onEnter(row, list) {
          if (await app.openSession({ kind: "resume", id: row.id })) list.close();
        },
        keys: [
          {
            key: "ctrl+d",
            help: "Ctrl+D deletes",
            async run(row, list) {
              if (!list.confirm("Ctrl+D again deletes it for good")) return;
              await app.host.deleteSession(row.id);
              await list.reload();
            },
          },
        ],
      }),
    );
  },
};

function sessionRow(session: SessionSummary, now: number) {
  const { id, name, changed, messages, model, oneShot, excerpt } = session;
  const about = `${agoText(now - changed)} · ${countText(messages, "message")}${oneShot === true ? " · run with -p" : ""} · ${model}`;
  const below = excerpt === undefined ? {} : { below: joinedLine(excerpt) };
  return { id, label: name === "" ? id : joinedLine(name), about, ...below };
}

/** Commands about sessions: `/clear`, `/resume`, `/rename`, `/fork`, `/tree`, `/export`. */
import { agoText, countText, joinedLine, type SessionSummary } from "@localharness/protocol";
import { changeName, readExport } from "@localharness/protocol/command-texts";
import type { App, CommandRuns } from "../app.ts";
import { rewind } from "../dialogs/rewind.ts";
import { selectList } from "../dialogs/select-list.ts";

export const sessionCommands = {
  async clear(app) {
    await app.openSession({ kind: "new" }, () => app.say("started a new session"));
  },
  async resume(app, rest) {
    if (rest === "") chooseSession(app);
    else await app.openSession({ kind: "resume", id: rest });
  },
  async rename(app, rest) {
    const said = await changeName(app.host, app.link().id, rest);
    await app.readName();
    app.say(said);
  },
  fork(app) {
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    if (!app.items().some((item) => item.kind === "user" && item.from === "person")) {
      return app.say("there is no message to go back to yet");
    }
    app.open(rewind);
  },
  tree: chooseBranch,
  async export(app, rest) {
    const { format, path } = readExport(rest);
    app.say(`written to ${await app.host.exportSession(format, path)}`);
  },
} satisfies CommandRuns;

function chooseSession(app: App): void {
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
}

function sessionRow(session: SessionSummary, now: number) {
  const { id, name, changed, messages, model, oneShot, excerpt } = session;
  const about = `${agoText(now - changed)} · ${countText(messages, "message")}${oneShot === true ? " · run with -p" : ""} · ${model}`;
  const below = excerpt === undefined ? {} : { below: joinedLine(excerpt) };
  return { id, label: name === "" ? id : joinedLine(name), about, ...below };
}

async function chooseBranch(app: App): Promise<void> {
  const forks = await app.host.listForks();
  if (forks.length === 0) return app.say("this session has no branches: /fork makes one");
  const current = forks.find((one) => one.current);
  app.open(
    selectList({
      title: "Branches of this session",
      empty: "no branches",
      enter: "opens it",
      ...(current === undefined ? {} : { start: current.id }),
      load: async () =>
        forks.map(({ id, depth, name, messages, current: here }) => ({
          id,
          label: `${"  ".repeat(depth)}${depth === 0 ? "" : "└ "}${name === "" ? id : joinedLine(name)}`,
          about: `${countText(messages, "message")}${here ? " · here" : ""}`,
        })),
      async onEnter(row, list) {
        if (row.id === current?.id) return list.close();
        if (await app.openSession({ kind: "resume", id: row.id })) list.close();
      },
    }),
  );
}

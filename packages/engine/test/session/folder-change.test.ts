/** A session records the folders that the person adds to the workspace. */
import { applyEvent, emptyView } from "@localharness/protocol";
import { expect, test } from "vitest";
import { openSession, runTurn } from "../open-session.ts";
import { say } from "../scripted-model.ts";

test("at its beginning, and when they change, each time once", async () => {
  let folders: readonly string[] = ["/lib"];
  const opened = openSession({ steps: [say("one"), say("two")], added: () => folders });
  opened.session.foldersChanged();
  expect(opened.of("folders-changed")).toEqual([]);
  await runTurn(opened);
  opened.session.foldersChanged();
  expect(opened.of("folders-changed")).toMatchObject([{ folders: ["/lib"] }]);
  folders = ["/lib", "/more"];
  opened.session.foldersChanged();
  folders = [];
  opened.session.foldersChanged();
  await runTurn(opened);
  expect(opened.of("folders-changed").map((event) => event.folders)).toEqual([
    ["/lib"],
    ["/lib", "/more"],
    [],
  ]);
  expect(opened.session.view().folders).toEqual([]);
  expect(opened.events.reduce(applyEvent, emptyView)).toEqual(opened.session.view());
});

test("and none without added folders", async () => {
  const opened = openSession({ steps: [say("one")] });
  await runTurn(opened);
  expect(opened.of("folders-changed")).toEqual([]);
  expect(opened.session.view().folders).toBeUndefined();
});

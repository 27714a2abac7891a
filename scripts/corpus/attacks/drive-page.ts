/** Runs the recorded cases about the web app, with Chromium on the pages of `localharness serve`. */
import { chromium, type Page } from "playwright-core";
import type { DriveOptions } from "./drive-call.ts";
import { startSink } from "./drive-wire.ts";
import { fillText } from "./fill.ts";
import { startModelServer, textReply } from "./model-server.ts";
import { emptyObservation, type Observation } from "./observation.ts";
import { makePlace, type Place } from "./place.ts";
import type { Row } from "./row.ts";
import { startServed } from "./served.ts";

export const browserPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

export async function drivePage<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using bare = makePlace(row.setup);
  await using sink = await startSink();
  const values = { ...bare.values, SINK: String(sink.port) };
  const wire = fillText(String(row.wire ?? ""), values);
  await using model = await startModelServer(() => textReply(`${wire}\n\nThat is all.`));
  const served = await startServed(bare, `http://127.0.0.1:${model.port}/v1`, options);
  const place: Place = { ...bare, values: { ...values, PORT: String(served.port) } };
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  let executed = "";
  let ended: Observation["ended"] | undefined;
  try {
    const page = await browser.newPage();
    page.on("dialog", (dialog) => {
      executed += `${dialog.type()} ${dialog.message()}`;
      void dialog.dismiss();
    });
    await page.goto(served.link);
    await page.getByLabel("Message to the model").waitFor();
    if (row.peer === "model->web_ui") await readAnswer(page);
    else await openTarget(page, wire, served.port);
  } finally {
    await browser.close();
    ended = await served.end();
  }
  const { output, errors } = served.printed();
  const found = { executed, sinkConnections: sink.count(), sink: sink.heard() };
  const screen = output.replaceAll(served.link, "");
  return await look({ ...emptyObservation(place), screen, errors, ended, found });
}

/** Has the model answer, and clicks every link of the answer that is not an http or https address. */
async function readAnswer(page: Page): Promise<void> {
  await page.getByLabel("Message to the model").fill("go");
  await page.keyboard.press("Enter");
  const answer = page.getByRole("article", { name: "Answer" });
  await answer.getByText("That is all.").first().waitFor();
  for (const link of await answer.locator("a:not([href^='http'])").all()) {
    await link.click({ noWaitAfter: true, timeout: 2_000 }).catch(() => undefined);
  }
  await page.waitForTimeout(500);
}

/** Opens the path of a request in the paired browser. */
async function openTarget(page: Page, wire: string, port: number): Promise<void> {
  const target = wire.split(" ")[1] ?? "/";
  await page.goto(`http://127.0.0.1:${port}${target}`);
  await page.getByLabel("Message to the model").waitFor();
  await page.waitForTimeout(500);
}

/**
 * The program with the model and the one that lends, in two network namespaces: the link is cut in the middle of calls. Needs root.
 * `LOCALHARNESS_CUTS=100 npx vitest run --project slow test/lend-namespaces.test.ts` makes 100 cuts.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { end, lentName, linesOf } from "./lent-folder.ts";
import { type OtherNetwork, openOtherNetwork, whyNoNetworks } from "./network-namespaces.ts";
import { configure, makePlace, type Place, program, type Run, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const cuts = Number(process.env["LOCALHARNESS_CUTS"] ?? 5);

interface Sides {
  readonly network: OtherNetwork;
  readonly owner: Place;
  readonly borrower: Place;
  /** Starts the lending program at the address that it had before. */
  lend(port: number): Promise<Run>;
  lending: Run;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts the lending program in the other network, and pairs the program here with it. */
async function openSides(): Promise<Sides> {
  const network = openOtherNetwork();
  onTestFinished(() => network.close());
  const owner = makePlace();
  const borrower = makePlace();
  const limits = { "limits.calls_per_minute": 100_000, "limits.commands_per_turn": 100_000 };
  for (const place of [owner, borrower]) configure(place, "config.json", JSON.stringify(limits));
  const [cert, key] = [join(owner.home, "cert.pem"), join(owner.home, "key.pem")];
  const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=lent", "-addext", `subjectAltName=IP:${network.address}`];
  execFileSync("openssl", ["req", ...made, "-keyout", key, "-out", cert, ...names], { stdio: "ignore" });
  const lend = async (port: number) => {
    const flags = ["--sandbox", "off", "--mode", "bypass", "--tls-cert", cert, "--tls-key", key];
    const lending = await start(["lend", "--listen", `${network.address}:${port}`, ...flags], {
      place: owner,
      program: [...network.inside, process.execPath, program()],
    });
    await lending.said(/lend pair wss:\S+ \S+\n/);
    return lending;
  };
  const lending = await lend(0);
  const [, url = "", code = ""] = /lend pair (wss:\S+) (\S+)\n/.exec(lending.output().stdout) ?? [];
  const environment = { NODE_EXTRA_CA_CERTS: cert };
  const paired = await run(["lend", "pair", url, code, lentName], { place: borrower, env: environment });
  expect(paired.code, paired.stderr).toBe(0);
  const sides = { network, owner, borrower, lend, lending, port: Number(new URL(url).port), environment };
  onTestFinished(() => void end(sides.lending, "SIGKILL"));
  return sides;
}

/** Cuts the link while call number `at` runs; `finish` lets the call end, and waits for its end. */
type Cut = (sides: Sides, finish: () => Promise<void>) => Promise<void>;

const brokenHere: Cut = async ({ network }) => network.breakConnections(false);
const brokenThere: Cut = async ({ network }) => network.breakConnections(true);
/** The other machine keeps a connection that no longer exists here. */
const unseenThere: Cut = async ({ network }) => {
  network.setLink(false);
  network.breakConnections(false);
  network.setLink(true);
};
const finishedUnseen: Cut = async ({ network }, finish) => {
  network.setLink(false);
  await finish();
  network.breakConnections(false);
  network.setLink(true);
};
const restarted: Cut = async (sides) => {
  await end(sides.lending, "SIGKILL");
  sides.lending = await sides.lend(sides.port);
};
const kinds: readonly Cut[] = [brokenHere, brokenThere, unseenThere, finishedUnseen, restarted];
const cutOf = (at: number): Cut => kinds[at % kinds.length] ?? brokenHere;

interface Told {
  readonly success: boolean;
  readonly data: string | null;
  readonly error_message: string | null;
}

test.skipIf(whyNoNetworks() !== undefined)(
  `${cuts} cuts between two networks: no call ran twice, and no result was lost without a word`,
  async () => {
    const sides = await openSides();
    const { owner, borrower, environment } = sides;
    const turns = Array.from({ length: cuts }, (_, at) => {
      const wait = `while [ ! -e go-${at} ]; do sleep 0.02; done`;
      const command = `echo ${at} >> begun; ${wait}; echo ${at} >> done; echo result-${at}`;
      return { calls: [{ name: "bash", arguments: { command } }] };
    });
    model.use({ turns: [...turns, { text: "Done." }] });
    const flags = ["--workspace", lentName, "--iterations-per-turn", "1000"];
    const talk = await start(["-p", ...argumentsFor(model), ...flags, "go"], {
      place: borrower,
      env: environment,
    });
    onTestFinished(() => void end(talk, "SIGKILL"));
    for (let at = 0; at < cuts; at += 1) {
      await expect.poll(() => linesOf(owner, "begun").has(`${at}`), { timeout: 120_000 }).toBe(true);
      const finish = async () => {
        writeFileSync(join(owner.workspace, `go-${at}`), "");
        await expect.poll(() => linesOf(owner, "done").has(`${at}`)).toBe(true);
      };
      await cutOf(at)(sides, finish);
      if (cutOf(at) !== restarted) await finish();
    }
    const ended = await talk.ended;
    expect(ended.stdout, ended.stderr).toContain("Done.");
    const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
      role: string;
      content: string;
    }[];
    const results = messages
      .filter(({ role }) => role === "tool")
      .map(({ content }): Told => JSON.parse(content));
    expect(results).toHaveLength(cuts);
    expect(ended.stderr.match(/the connection to box broke/g)).toHaveLength(cuts);
    for (const [at, { success, data, error_message: message }] of results.entries()) {
      const isKnown = cutOf(at) !== restarted;
      const expected = isKnown
        ? { success: true, data: expect.stringContaining(`result-${at}`) }
        : { success: false, message: expect.stringMatching(/^outcome unknown: /) };
      expect({ at, success, data, message }).toMatchObject(expected);
    }
    const once = new Map(Array.from({ length: cuts }, (_, at) => [`${at}`, 1]));
    expect(linesOf(owner, "begun")).toEqual(once);
  },
);

/** Installs packages in the sandbox from a registry on loopback, with one question. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createCallDesk, createRegistry, type ToolContext } from "@localharness/engine";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import type { PermissionMode, PermissionRequest } from "@localharness/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRegistry, type PackageRegistry } from "../../../processes/test/sandbox/package-registry.ts";
import { createTools } from "../../src/tool-sets.ts";
import { openBench, said } from "../bench.ts";

const state = sandboxState("auto");
const hasGo = spawnSync("go", ["version"]).status === 0;
const hasPip = spawnSync("python3", ["-m", "pip", "--version"]).status === 0;

/** Where `npx` puts the packages that it installs. */
const npxFolder = join(homedir(), ".npm/_npx");

let registry: PackageRegistry;
beforeAll(async () => {
  registry = await openRegistry(
    "echo ran > ran.txt; echo out > ../../../outside/out.txt; echo out > $HOME/out.txt; true",
  );
});
afterAll(() => registry.close());

/** Runs a command as a call of a model, and answers each question with the offer, or with a denial. */
async function called(
  command: string,
  offer: string | undefined,
  domains: readonly string[],
  mode: PermissionMode = "auto",
) {
  const bench = await openBench({
    sandbox: { mode: "require", domains },
    environment: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  const desk = createCallDesk({
    registry: createRegistry(createTools(bench.resources)),
    workspace: bench.root,
    mode: () => mode,
    freedoms: { looks: true, confined: true },
  });
  const questions: PermissionRequest[] = [];
  const result = await desk.run({
    name: "bash",
    arguments: { command },
    emit: (event) => {
      if (event.type === "permission-request") questions.push(event.request);
    },
    answer: async () => (offer === undefined ? { answer: "deny" } : { answer: "once", offer }),
  });
  return { bench, questions, result };
}

describe.skipIf(state.kind !== "on" || process.platform !== "linux")(
  "a registry that the person named",
  () => {
    const named = () => [`127.0.0.1:${registry.port}`];
    const address = () => `http://127.0.0.1:${registry.port}`;

    test("npm installs a package after one question, and its script stays in the sandbox", async () => {
      const command = `npm install tiny-greeting --registry=${address()} && node -p 'require("tiny-greeting")'`;
      const { bench, questions, result } = await called(command, "listed-hosts", named());
      expect(result.data).toContain("good day");
      expect(questions).toHaveLength(1);
      expect(questions[0]?.offers?.map(({ id }) => id)).toEqual(["listed-hosts"]);
      expect(readFileSync(join(bench.root, "node_modules/tiny-greeting/ran.txt"), "utf8")).toBe("ran\n");
      expect(existsSync(join(bench.outside, "out.txt"))).toBe(false);
      expect(existsSync(join(process.env["HOME"] ?? "", "out.txt"))).toBe(false);
    });

    test.skipIf(!hasPip)("pip installs a package after one question", async () => {
      const install = `python3 -m pip install --no-deps --target lib --index-url ${address()}/simple/ tiny-greeting`;
      const { questions, result } = await called(
        `${install}; PYTHONPATH=lib python3 -c 'import tiny_greeting; print(tiny_greeting.text)'`,
        "listed-hosts",
        named(),
      );
      expect(result.data).toContain("good day");
      expect(questions).toHaveLength(1);
    });

    test.skipIf(!hasGo)("go gets a module after one question", async () => {
      const cache = "GOMODCACHE=$TMPDIR/mod GOFLAGS=-modcacherw GOSUMDB=off";
      const { questions, result } = await called(
        `export GOPROXY=${address()}/go ${cache}; go mod init app 2>&1; go get tiny.example/greeting 2>&1; go list -m all`,
        "network",
        named(),
      );
      expect(result.data).toContain("tiny.example/greeting v1.0.0");
      expect(questions).toHaveLength(1);
    });

    test("no other port of this machine is open", async () => {
      const other = await openRegistry("true");
      try {
        const { result } = await called(
          `npm view tiny-greeting --fetch-retries=0 --registry=http://127.0.0.1:${other.port}`,
          "network",
          named(),
        );
        expect(result.data).toMatch(/ECONNREFUSED/);
        expect(other.asked).toEqual([]);
      } finally {
        await other.close();
      }
    });
  },
);

describe.skipIf(state.kind !== "on" || process.platform !== "linux")(
  "a registry that a command reaches without an offer, as when a rule allows the command",
  () => {
    // The registry stands for one of the internet, so its address is not this machine, and is reached through the proxy.
    const proxied = "export no_proxy= NO_PROXY=";
    const registryOption = () => `--registry=http://127.0.0.1:${registry.port}`;

    async function run(command: string) {
      const bench = await openBench({
        sandbox: { mode: "require", isPublic: (address) => address === "127.0.0.1" },
        environment: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
      });
      const hosts: unknown[] = [];
      const args = { command: `${proxied}; ${command}` };
      const examined = await bench.examine("bash", args);
      const output = await bench.call("bash", args, {
        examined,
        interactive: true,
        aside: {} as NonNullable<ToolContext["aside"]>,
        async ask({ arguments: { host } }) {
          hosts.push(host);
          return { answer: "once", offer: "once" };
        },
      });
      return { hosts, text: said(output) };
    }

    test.each([
      [
        "npm",
        () => `npm install tiny-greeting ${registryOption()} && node -p 'require("tiny-greeting")'`,
        "good day",
      ],
      ["npx", () => `npx --yes ${registryOption()} tiny-greeting`, "good night"],
      ["npm exec", () => `npm exec --yes ${registryOption()} tiny-greeting`, "good night"],
    ])(
      "%s works after one question about the host, and writes no cache of the person",
      async (...[, command, greeting]) => {
        const before = [registry.asked.length, existsSync(npxFolder)] as const;
        const { hosts, text } = await run(command());
        expect(text).toContain(greeting);
        expect(hosts).toEqual(["127.0.0.1"]);
        expect(registry.asked.length).toBeGreaterThan(before[0]);
        expect(existsSync(npxFolder)).toBe(before[1]);
      },
    );

    test.skipIf(!hasPip)("pip works after one question about the host", async () => {
      const index = `--trusted-host 127.0.0.1 --index-url http://127.0.0.1:${registry.port}/simple/`;
      const { hosts, text } = await run(
        `python3 -m pip install --no-deps --target lib ${index} tiny-greeting; PYTHONPATH=lib python3 -c 'import tiny_greeting; print(tiny_greeting.text)'`,
      );
      expect(text).toContain("good day");
      expect(hosts).toEqual(["127.0.0.1"]);
    });
  },
);

describe.skipIf(state.kind !== "on")("a registry that nobody named", () => {
  test.each([
    ["npm view tiny-greeting", ["network", "session-hosts"]],
    ["pip install tiny-greeting", ["network", "session-hosts"]],
    ["curl -s https://example.com/a", ["network", "session-hosts"]],
    ["git fetch", ["network"]],
  ])("%s is not run without the network: the question offers it", async (command, offers) => {
    const { questions, result } = await called(command, undefined, []);
    expect(questions.map((one) => one.offers?.map(({ id }) => id))).toEqual([offers]);
    expect(result.error_type).toBe("permission_denied");
  });
});

describe.skipIf(state.kind !== "on")("a command that failed without the network", () => {
  const script =
    "node -e 'fetch(\"http://registry.invalid/\").catch((e) => { console.log(String(e.cause)); process.exit(1) })'";

  test("is offered the network when it is called again, and asks in mode auto", async () => {
    const bench = await openBench({ sandbox: { mode: "auto" } });
    expect((await bench.examine("bash", { command: script })).offers).toBeUndefined();
    const failed = await bench.call("bash", { command: script });
    expect(failed.notes?.join()).toMatch(/make exactly this call again/);
    const facts = await bench.examine("bash", { command: script });
    expect(facts.offers?.map(({ id }) => id)).toEqual(["network", "outside"]);
    expect(facts.command?.leaves).toMatch(/failed before without the network/);
  });

  test("a command that could not write outside is offered no sandbox, unless the sandbox is required", async () => {
    for (const [mode, ids] of [
      ["auto", ["outside"]],
      ["require", undefined],
    ] as const) {
      const bench = await openBench({ sandbox: { mode } });
      const command = `echo out > ../outside/out.txt`;
      const call = (offer?: string) => bench.call("bash", { command }, offer === undefined ? {} : { offer });
      await call();
      expect((await bench.examine("bash", { command })).offers?.map(({ id }) => id)).toEqual(ids);
      await call("outside");
      expect(existsSync(join(bench.outside, "out.txt"))).toBe(mode === "auto");
    }
  });
});

test.skipIf(state.kind !== "on")(
  "an answer for the session opens its hosts to later downloads without a question",
  async () => {
    const bench = await openBench({ sandbox: { mode: "auto" } });
    const facts = async (command: string) => {
      const { offers, command: about } = await bench.examine("bash", { command });
      return { offers: offers?.map(({ id }) => id), leaves: about?.leaves !== undefined };
    };
    expect(await facts("npm view a")).toEqual({
      offers: ["network", "session-hosts", "outside"],
      leaves: true,
    });
    const command = "npm view a --fetch-retries=0";
    const examined = await bench.examine("bash", { command });
    await bench.call("bash", { command, timeout: 10 }, { offer: "session-hosts", examined });
    expect(bench.resources.sandbox.domains).toEqual(["registry.npmjs.org"]);
    expect(await facts("npm install b")).toEqual({ offers: undefined, leaves: false });
    expect(await facts("npm publish")).toEqual({ offers: ["listed-hosts", "outside"], leaves: true });
    expect(await facts("npm install b && git push")).toMatchObject({ leaves: true });
    expect(await facts("pip install b")).toMatchObject({ leaves: true });
  },
);

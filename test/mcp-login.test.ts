/** Signs in at MCP servers with the real program: the person's browser, the service and the server are real sockets on loopback. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  type OAuthOptions,
  type OAuthServer,
  startOAuthServer,
} from "../packages/mcp/test/fixtures/oauth-server.ts";
import { configure, type Ended, makePlace, type Place, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";

const model = await serveModel();
const servers: OAuthServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(options?: OAuthOptions): Promise<OAuthServer> {
  const server = await startOAuthServer(options);
  servers.push(server);
  return server;
}

function placeFor(url: string, more: object = {}): Place {
  const place = makePlace();
  configure(place, "mcp.json", JSON.stringify({ mcpServers: { guarded: { url, ...more } } }));
  return place;
}

const keptFile = ({ home }: Place) => join(home, ".config", "localharness", "mcp-sign-ins.json");

/** Runs `mcp login`, and opens the address that it shows; `browse` may do something else first. */
async function login(place: Place, browse?: (target: URL) => Promise<void>): Promise<Ended> {
  const talk = await start(["mcp", "login", "guarded"], { place });
  void talk.said(/^http\S+$/m).then(async () => {
    const address = /^(http\S+)$/m.exec(talk.output().stdout)?.[1] ?? "";
    const answer = await fetch(address, { redirect: "manual" });
    const target = new URL(answer.headers.get("location") ?? "");
    await browse?.(target);
    await fetch(target);
  });
  return talk.ended;
}

/** Lets the model call the server's tool in one turn; resolves to the run and the result that the model read. */
async function callTool(place: Place): Promise<{ readonly ended: Ended; readonly result: string }> {
  model.use({ turns: [{ calls: [{ name: "guarded__t", arguments: {} }] }, { text: "Done." }] });
  const ended = await run(["-p", ...argumentsFor(model), "--sandbox", "off", "--answer", "once", "go"], {
    place,
  });
  const messages = model.chats.at(-1)?.body?.["messages"] as unknown as readonly {
    readonly role: string;
    readonly content: string;
  }[];
  return { ended, result: messages.find(({ role }) => role === "tool")?.content ?? "" };
}

describe("a sign-in", () => {
  test("keeps the tokens for the person only, and they are shown nowhere", async () => {
    const server = await serve();
    const place = placeFor(server.url);
    const before = await callTool(place);
    expect(before.ended.stderr).toMatch(/it asks you to sign in, with: localharness mcp login guarded/);
    const signedIn = await login(place);
    expect(signedIn.stdout).toMatch(/^signed in: guarded \(1 tool; it may use: basic\)$/m);
    expect(statSync(keptFile(place)).mode & 0o777).toBe(0o600);
    const { ended, result } = await callTool(place);
    expect(result).toContain("It works.");
    expect(readFileSync(keptFile(place), "utf8")).toContain("secret-access-");
    const shown = [signedIn, ended].map(({ stdout, stderr }) => stdout + stderr).join("");
    expect(shown + JSON.stringify(model.chats.map(({ body }) => body))).not.toContain("secret-");
    const files = readdirSync(place.home, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    const paths = files.map((one) => join(one.parentPath, one.name));
    expect(paths.filter((path) => readFileSync(path, "utf8").includes("secret-"))).toEqual([keptFile(place)]);
  });

  test("answers only the request of the browser that has its state", async () => {
    const place = placeFor((await serve()).url);
    const statuses: number[] = [];
    const ended = await login(place, async (target) => {
      const tries = [
        [`${target.origin}${target.pathname}?code=theirs&state=guess`, {}],
        [`${target.origin}${target.pathname}?code=theirs`, {}],
        [`${target.origin}/other${target.search}`, {}],
        [target.href, { method: "POST" }],
      ] as const;
      for (const [address, init] of tries) statuses.push((await fetch(address, init)).status);
    });
    expect(statuses).toEqual([400, 400, 404, 404]);
    expect(ended.stdout).toContain("signed in: guarded");
  });

  test("with the answer of another issuer gets no token", async () => {
    const server = await serve({ iss: "https://attacker.example" });
    const ended = await login(placeFor(server.url));
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^not signed in at guarded: the answer came from another service/m);
    expect(server.seen.filter(({ path }) => path === "/token")).toEqual([]);
  });

  test("that the server asks for again for one call gets the rights for it", async () => {
    const place = placeFor((await serve({ callScope: "basic write" })).url);
    await login(place);
    const refused = await callTool(place);
    expect(refused.result).toMatch(/more rights than your sign-in has.*localharness mcp login guarded/);
    expect((await login(place)).stdout).toMatch(/it may use: basic write/);
    expect((await callTool(place)).result).toContain("It works.");
  });

  test("ends with logout", async () => {
    const place = placeFor((await serve()).url);
    await login(place);
    expect((await run(["mcp", "logout", "guarded"], { place })).stdout).toMatch(/^signed out: guarded/);
    expect(readFileSync(keptFile(place), "utf8")).not.toContain("secret-");
    expect((await callTool(place)).ended.stderr).toMatch(/asks you to sign in/);
  });

  test("works in a chat that began without it", async () => {
    const place = placeFor((await serve()).url);
    const turns = [{ text: "One." }, { calls: [{ name: "guarded__t", arguments: {} }] }, { text: "Two." }];
    model.use({ turns });
    const flags = [...argumentsFor(model), "--sandbox", "off", "--mode", "bypass"];
    const talk = await start(["-i", ...flags, "one"], { place, stdin: "open" });
    await talk.said("asks you to sign in");
    await talk.said(/One\.\n+> /);
    await login(place);
    talk.child.stdin?.write("two\n");
    await talk.said(/✓ guarded__t It works/);
    await talk.said("Two.");
    talk.child.stdin?.write("/quit\n");
    await talk.ended;
  });
});

describe("the tokens", () => {
  test("are renewed when they end, also when the service changes the one that renews", async () => {
    const server = await serve({ expiresIn: 1 });
    const place = placeFor(server.url);
    await login(place);
    expect((await callTool(place)).result).toContain("It works.");
    server.expire();
    expect((await callTool(place)).result).toContain("It works.");
    const renewals = server.seen.filter(({ body }) => body.includes("grant_type=refresh_token"));
    expect(new Set(renewals.map(({ body }) => body)).size).toBe(renewals.length);
    expect(renewals.length).toBeGreaterThan(1);
  });

  test("go to no other address: not after a redirect, not to another entry, not with another url", async () => {
    const other = await serve();
    const server = await serve({ redirectTo: other.url });
    const place = placeFor(server.url);
    await login(place);
    await callTool(place);
    expect(server.seen.some(({ authorization }) => authorization?.includes("secret-access"))).toBe(true);
    configure(place, "mcp.json", JSON.stringify({ mcpServers: { guarded: { url: other.url } } }));
    await callTool(place);
    writeFileSync(
      join(place.home, ".config/localharness/mcp.json"),
      JSON.stringify({ mcpServers: { another: { url: server.url } } }),
    );
    const from = server.seen.length;
    await callTool(place);
    expect(other.seen.length).toBeGreaterThan(0);
    const later = [...other.seen, ...server.seen.slice(from)];
    expect(later.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  });

  test("are not used by an entry that has its own Authorization header", async () => {
    const place = placeFor((await serve()).url, { headers: { Authorization: "Bearer wrong" } });
    expect((await callTool(place)).ended.stderr).toMatch(/refuses the Authorization header of its entry/);
  });
});

/** Runs the program where a proxy is the only way out, and with servers whose certificates the system does not trust. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasOpenssl, makeCertificate } from "../packages/models/test/http/made-certificate.ts";
import { runProxy } from "../packages/models/test/http/made-proxy.ts";
import { makePlace, run } from "./run-program.ts";

const answer = [
  { choices: [{ index: 0, delta: { role: "assistant", content: "Here I am." } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
]
  .map((part) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", ...part })}\n\n`)
  .join("");

/** Serves a model over TLS, and counts the connections. */
async function serveSecurely(names: string) {
  const made = makeCertificate(names);
  let connections = 0;
  const server = createServer(made, (request, response) => {
    request.resume();
    if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`${answer}data: [DONE]\n\n`);
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, cert: made.cert, connections: () => connections };
}

const ask = (url: string) => ["-p", "--base-url", url, "--model", "m", "--sandbox", "off", "hello"];

describe.skipIf(!hasOpenssl())("a model server with TLS", () => {
  test("is reached through the proxy, with a certificate that NODE_EXTRA_CA_CERTS names", async () => {
    const { port, cert } = await serveSecurely("DNS:llm.firm.example");
    const proxy = await runProxy({ hosts: { "llm.firm.example": port }, user: "me:secret-word" });
    const place = makePlace();
    const file = join(place.home, "firm.pem");
    writeFileSync(file, cert);
    const env = {
      HTTPS_PROXY: `http://me:secret-word@127.0.0.1:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: file,
    };
    const ended = await run(ask("https://llm.firm.example/v1"), { place, env });
    expect(ended).toMatchObject({ code: 0, stdout: "Here I am.\n" });
    expect(new Set(proxy.seen)).toEqual(new Set(["CONNECT llm.firm.example:443"]));
    const listed = await run(["models"], { place, env });
    expect(listed.stdout).toContain(
      `https proxy  http://127.0.0.1:${proxy.port} (HTTPS_PROXY), with a user name`,
    );
    expect(listed.stdout + ended.stderr).not.toContain("secret-word");
  });

  test("whose certificate is not trusted is asked once, and the person reads what to do", async () => {
    const { port, connections } = await serveSecurely("IP:127.0.0.1");
    const ended = await run(ask(`https://127.0.0.1:${port}/v1`));
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/NODE_EXTRA_CA_CERTS=FILE/);
    expect(ended.stderr).not.toMatch(/Trying again/);
    // One for the question about the model, one for the message.
    expect(connections()).toBeLessThanOrEqual(2);
  });
});

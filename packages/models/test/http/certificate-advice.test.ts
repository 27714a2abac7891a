import { once } from "node:events";
import { createServer as createPlain } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import type { TlsOptions } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { certificateAdvice } from "../../src/http/certificate-advice.ts";
import { createNodeHttp } from "../../src/http/node-http.ts";
import { createOpenaiChat } from "../../src/index.ts";
import { hasOpenssl, makeCertificate } from "./made-certificate.ts";

const never = () => new AbortController().signal;

async function listening(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const secure = (options: TlsOptions) =>
  listening(createServer(options, (_, response) => void response.end("{}")));

async function failureAt(port: number) {
  const url = `https://127.0.0.1:${port}/v1`;
  const answer = await createNodeHttp().send({ method: "GET", url, headers: {} }, never());
  if (answer.kind === "response") throw new Error(`answered ${answer.status}`);
  return answer;
}

describe.skipIf(!hasOpenssl())("a server with TLS", () => {
  test("whose certificate is trusted is reached", async () => {
    const made = makeCertificate("IP:127.0.0.1");
    const { port } = await secure(made);
    made.trust();
    const url = `https://127.0.0.1:${port}/v1`;
    const answer = await createNodeHttp().send({ method: "GET", url, headers: {} }, never());
    expect(answer).toMatchObject({ kind: "response", status: 200 });
  });

  test("whose certificate is not trusted names NODE_EXTRA_CA_CERTS", async () => {
    const { port } = await secure(makeCertificate("IP:127.0.0.1"));
    expect(await failureAt(port)).toMatchObject({
      kind: "certificate",
      message: expect.stringMatching(/127\.0\.0\.1:\d+ cannot be reached: .*NODE_EXTRA_CA_CERTS=FILE/),
    });
  });

  test("with a certificate for other names names them", async () => {
    const made = makeCertificate("DNS:box.example,DNS:*.box.example,IP:10.0.0.1");
    const { port } = await secure(made);
    made.trust();
    const { kind, message } = await failureAt(port);
    expect(kind).toBe("certificate");
    expect(message).toMatch(
      /is for box\.example, \*\.box\.example, 10\.0\.0\.1, not for this address\. Write/,
    );
    expect(message).not.toMatch(/NODE_EXTRA_CA_CERTS/);
  });

  test("whose certificate has expired says so", async () => {
    const made = makeCertificate("IP:127.0.0.1", -1);
    const { port } = await secure(made);
    made.trust();
    const { kind, message } = await failureAt(port);
    expect(kind).toBe("certificate");
    expect(message).toMatch(/has expired\. Renew it on the server.*the clock of this machine/);
  });

  test("is asked once for an answer", async () => {
    const { port, connections } = await secure(makeCertificate("IP:127.0.0.1"));
    const model = createOpenaiChat({
      provider: "custom",
      title: "The server",
      model: "m",
      baseUrl: `https://127.0.0.1:${port}/v1`,
      http: createNodeHttp(),
    });
    const events: string[] = [];
    for await (const event of model.stream({ messages: [], tools: [] }, never())) events.push(event.type);
    expect(events.filter((type) => type !== "phase")).toEqual(["model-error"]);
    expect(connections()).toBe(1);
  });
});

test("a server without TLS says that the address needs http", async () => {
  const { port } = await listening(createPlain((_, response) => void response.end("{}")));
  expect(await failureAt(port)).toMatchObject({
    kind: "certificate",
    message: expect.stringMatching(/does not speak TLS at this port\. Write the address with http:\/\//),
  });
});

describe("the words for a code", () => {
  const failed = (code: string, message = "x", more = {}) =>
    Object.assign(new Error(message), { code, ...more });
  test.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /send them all.*NODE_EXTRA_CA_CERTS=FILE \(UNABLE/],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /NODE_EXTRA_CA_CERTS=FILE/],
    ["SELF_SIGNED_CERT_IN_CHAIN", /NODE_EXTRA_CA_CERTS=FILE/],
    ["CERT_UNTRUSTED", /NODE_EXTRA_CA_CERTS=FILE/],
    ["CERT_NOT_YET_VALID", /not valid yet\. Set the clock/],
    ["CERT_REVOKED", /revoked/],
    ["ERR_SSL_EE_KEY_TOO_SMALL", /too weak/],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", /a certificate of the client/],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", /no TLS version/],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", /no TLS version/],
  ])("%s", (code, words) => {
    expect(certificateAdvice(failed(code), "It")).toMatch(words);
  });

  test("are those of OpenSSL's reason if Node has no code for it", () => {
    const text =
      "C0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl3_record.c:354:\n";
    expect(certificateAdvice(failed("EPROTO", text), "It")).toMatch(/does not speak TLS/);
    const alert =
      "C0:error:0A000410:SSL routines:read:sslv3 alert handshake failure:../rec.c:9:SSL alert number 40";
    expect(certificateAdvice(failed("EPROTO", alert), "It")).toMatch(/no TLS version/);
  });

  test.each(["ECONNRESET", "ECONNREFUSED", "ENOTFOUND", "EPROTO", "HPE_INVALID_CONSTANT"])(
    "none: %s",
    (code) => {
      expect(certificateAdvice(failed(code), "It")).toBeUndefined();
    },
  );

  test("show only names of hosts out of a hostile certificate", () => {
    const cert = { subjectaltname: 'DNS:a.example, DNS:"x\\u001b[31m", DNS:b.example' };
    const said = certificateAdvice(failed("ERR_TLS_CERT_ALTNAME_INVALID", "x", { cert }), "It");
    expect(said).toMatch(/is for a\.example, b\.example, not/);
  });
});

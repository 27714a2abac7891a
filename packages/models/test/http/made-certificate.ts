/** Makes certificates with openssl, and trusts them for one test. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished } from "vitest";

export interface MadeCertificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Trusts the certificate until the test ends, as `NODE_EXTRA_CA_CERTS` does for a process. */
  trust(): void;
}

export function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Makes a certificate that signs itself, for names such as `DNS:a.example` or `IP:127.0.0.1`. It ends in `days`. */
export function makeCertificate(names: string, days = 2): MadeCertificate {
  const folder = mkdtempSync(join(tmpdir(), "lh-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const openssl = (...words: string[]) => execFileSync("openssl", words, { cwd: folder, stdio: "pipe" });
  const named = ["-subj", "/CN=made", "-addext", `subjectAltName=${names}`];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key"];
  openssl("req", "-new", ...key, ...named, "-out", "request");
  const signed = ["-signkey", "key", "-days", String(days), "-copy_extensions", "copy", "-out", "cert"];
  openssl("x509", "-req", "-in", "request", ...signed);
  const cert = readFileSync(join(folder, "cert"));
  const own = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(own));
  return {
    key: readFileSync(join(folder, "key")),
    cert,
    trust: () => setDefaultCACertificates([...own, cert.toString()]),
  };
}

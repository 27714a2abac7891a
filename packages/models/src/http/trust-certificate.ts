/** Trusts one certificate that the person has, whoever signed it and whatever names it has. */
import type { PeerCertificate } from "node:tls";

/** Options of a TLS connection. */
export interface CertificateTrust {
  readonly ca: string;
  readonly allowPartialTrustChain: true;
  readonly checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
}

/**
 * Returns the options of a connection that trusts only this certificate. The names in it are not checked if it is the
 * server's own. If it is an authority's, the certificate of the server must name the host. Rejects if the text is not a
 * certificate in PEM format.
 */
export async function trustCertificate(pem: string): Promise<CertificateTrust> {
  const [{ X509Certificate }, { checkServerIdentity }] = await Promise.all([
    import("node:crypto"),
    import("node:tls"),
  ]);
  const { fingerprint256 } = new X509Certificate(pem);
  return {
    ca: pem,
    allowPartialTrustChain: true,
    checkServerIdentity: (host, certificate) =>
      certificate.fingerprint256 === fingerprint256 ? undefined : checkServerIdentity(host, certificate),
  };
}

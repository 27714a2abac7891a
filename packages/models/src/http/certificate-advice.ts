/** Explains why a TLS connection was not made, and what the person can do. Such a failure does not pass by itself. */

const advice = {
  untrusted:
    "its certificate is not trusted. If it is right, save the certificate of the authority that signed it, or its own, as a PEM file and start with NODE_EXTRA_CA_CERTS=FILE. The same helps if a company's proxy reads along and signs by itself",
  incomplete:
    "its certificate is not trusted, or it does not send the certificates between its own and its authority's. Have it send them all, or save the missing ones as a PEM file and start with NODE_EXTRA_CA_CERTS=FILE",
  expired:
    "its certificate has expired. Renew it on the server. If it is still valid, the clock of this machine is wrong",
  early:
    "its certificate is not valid yet. Set the clock of this machine; if it is right, the server needs another certificate",
  revoked: "its certificate was revoked: the server needs a new one",
  weak: "its certificate is too weak for this program: the server needs one with a longer key or a newer signature",
  plain: "it does not speak TLS at this port. Write the address with http:// or use the port that has https",
  client:
    "it asks for a certificate of the client, which this program cannot send. Use an address that takes a key instead",
  versions: "it offers no TLS version or cipher that this program takes. Update the server's TLS",
} as const;

/** The kinds of failures by their codes, which Node takes from OpenSSL. */
const kinds: readonly (readonly [code: RegExp, kind: keyof typeof advice])[] = [
  [/^CERT_HAS_EXPIRED$/, "expired"],
  [/^CERT_NOT_YET_VALID$/, "early"],
  [/^CERT_REVOKED$|_CERTIFICATE_REVOKED$/, "revoked"],
  [/^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)$/, "incomplete"],
  [/KEY_TOO_SMALL|MD_TOO_WEAK|DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL/, "weak"],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/, "plain"],
  [/CERTIFICATE_REQUIRED|ALERT_BAD_CERTIFICATE|HANDSHAKE_FAILURE_CLIENT/, "client"],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_CIPHERS|HANDSHAKE_FAILURE|NO_SHARED_CIPHER/, "versions"],
  [/CERT|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^UNABLE_TO_DECODE_ISSUER/, "untrusted"],
];

const isForOthers = /^ERR_TLS_CERT_ALTNAME_/;

/**
 * Returns one or more sentences about a failure of TLS, with its code and what to do. Returns undefined for any other error.
 * `who` is the server, as the subject of a sentence.
 */
export function certificateAdvice(error: unknown, who: string): string | undefined {
  const code = codeOf(error);
  const kind = kinds.find(([codes]) => codes.test(code))?.[1];
  const why = isForOthers.test(code) ? otherNames(error) : kind && advice[kind];
  return why && `${who} cannot be reached: ${why} (${code}).`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const code = "code" in error ? String(error.code) : "";
  // Node gives all other errors of TLS one code. The reason is in the message: `...:wrong version number:...`.
  const reason = code === "EPROTO" ? /:SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1] : undefined;
  return reason === undefined ? code : `ERR_SSL_${reason.trim().replaceAll(" ", "_").toUpperCase()}`;
}

const maxNames = 5;

/** Returns the words for a certificate that belongs to other names. The names come from the server. */
function otherNames(error: unknown): string {
  const certificate = error instanceof Error && "cert" in error ? error.cert : undefined;
  const listed =
    typeof certificate === "object" && certificate !== null && "subjectaltname" in certificate
      ? String(certificate.subjectaltname)
      : "";
  const names = [...listed.matchAll(/(?:DNS|IP Address):([\w.*:-]{1,253})/g)].map(([, name]) => name);
  const shown = names.slice(0, maxNames).join(", ");
  const belongs = shown === "" ? "names no host" : `is for ${shown}${names.length > maxNames ? ", ..." : ""}`;
  return `its certificate ${belongs}, not for this address. Write the address with a name of the certificate, or give the server a certificate for this address`;
}

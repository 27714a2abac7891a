/** Declares the interface through which tools use web servers. The package `models` implements it in `http/web-door.ts`. */

export interface WebRequest {
  readonly method: "GET" | "POST";
  /** An http or https address. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The maximum number of bytes of the answer that are read, after decompression. */
  readonly maxBytes: number;
}

export type WebAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** The content type; `""` when the server names none. */
      readonly type: string;
      /** The target of a redirect, as the server wrote it. */
      readonly location?: string;
      readonly body: Uint8Array;
      /** True when the answer is longer than `maxBytes`. */
      readonly cut: boolean;
    }
  /** `blocked` means that no request may go to this address. `message` is a whole sentence. */
  | { readonly kind: "blocked" | "failed" | "aborted"; readonly message: string };

export interface Web {
  /**
   * Resolves to the reason why no request may go to the address; undefined if none is known. Sends no DNS query, so that
   * nothing leaves the machine before the person has answered. `send` may still be `blocked`, because it looks up the name.
   */
  objection(url: string): Promise<string | undefined>;
  /** Sends one request. Follows no redirects, and adds no cookies and no keys to the given headers. Never rejects. */
  send(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>;
}

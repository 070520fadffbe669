// Answers requests over HTTP: the only part of this program that others connect to.

export interface HostServer {
  /** Rejects with `{code: "EADDRINUSE"}` and the like. */
  listen(options: ListenOptions): Promise<Listening>;
}

export interface ListenOptions {
  /** A name or an address of this machine. */
  readonly hostname: string;
  /** 0: any that is free. */
  readonly port: number;
  /** A longer body is answered with 413, and never held as a whole. */
  readonly bodyBytesMax: number;
  /** A client that takes longer to send a request gets 408. Default: 30 s. */
  readonly requestMsMax?: number;
  /** Returns the refusal of a request, before any of its body is read: strangers take up no memory. */
  refuse?(request: Request): Response | undefined;
  /** Answers a request. The signal of the request aborts when the client disconnects. An error is answered with 500. */
  onRequest(request: Request, from: Asker): Promise<Response>;
}

export interface Asker {
  readonly address: string;
}

export interface Listening {
  readonly port: number;
  /** Cuts the connections that are left. */
  close(): Promise<void>;
}

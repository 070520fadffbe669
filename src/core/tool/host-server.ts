// Answers requests over HTTP: the only part of this program that others connect to.

export interface HostServer {
  /** Rejects with `{code: "EADDRINUSE"}` and the like. */
  listen(options: ListenOptions): Promise<Listening>;
}

export interface ListenOptions {
  /** A name or an address of this machine. */
  readonly hostname: string;
  /** With 0, any free port. */
  readonly port: number;
  /** The limit of a body. A longer one is answered with 413, and never held as a whole. */
  readonly bodyBytesMax: number;
  /** The time in which a client has to send a request, or gets 408. The default is 30 s. */
  readonly requestMsMax?: number;
  /** Returns the refusal of a request before its body is read, so that strangers use no memory. */
  refuse?(request: Request): Response | undefined | Promise<Response | undefined>;
  /** Answers a request whose body is too long, in the form that its caller reads. */
  tooLong?(request: Request): Response;
  /**
   * Answers a request, whose body `from` has. The signal of the request aborts when the client disconnects. An error is
   * answered with 500.
   */
  onRequest(request: Request, from: Asker): Promise<Response>;
}

export interface Asker {
  readonly address: string;
  /** What the request brings. A `Request` with it would be made for a second time. */
  readonly body: Uint8Array;
}

export interface Listening {
  readonly port: number;
  /** Closes the remaining connections. */
  close(): Promise<void>;
}

// Answers requests over HTTP: the one thing of this program that others connect to.

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
  /** Whoever takes longer to send a request is answered with 408. Default: 30 s. */
  readonly requestMsMax?: number;
  /** The answer to who may not ask, before any of the body is read: strangers take up no memory. */
  refuse?(request: Request): Response | undefined;
  /** Its signal aborts when whoever asked is gone. What it throws is answered with 500. */
  onRequest(request: Request, from: Asker): Promise<Response>;
}

export interface Asker {
  /** Of the machine. */
  readonly address: string;
}

export interface Listening {
  readonly port: number;
  /** Cuts the connections that are left. */
  close(): Promise<void>;
}

// Packages without types of their own: what is used of them.

declare module "npm-packlist" {
  /** Takes a node of npm's tree of packages. Returns paths within the folder, with `/`. */
  function packlist(tree: {
    readonly path: string;
    readonly package: { readonly files?: readonly string[] };
    readonly isProjectRoot: true;
    readonly edgesOut: ReadonlyMap<string, unknown>;
  }): Promise<string[]>;
  export = packlist;
}

declare module "make-fetch-happen" {
  /** `redirect: "manual"` gives the answer that redirects. */
  function fetch(
    url: string,
    options: Readonly<Record<string, unknown>> & { readonly redirect: "manual" },
  ): Promise<{
    readonly status: number;
    readonly statusText: string;
    readonly url: string;
    readonly headers: { get(name: string): string | null };
    readonly body: AsyncIterable<Uint8Array> & { resume(): void; destroy(error: Error): void };
  }>;
  export = fetch;
}

declare module "npm-registry-fetch" {
  type Options = Readonly<Record<string, unknown>>;
  const registryFetch: {
    pickRegistry(name: string, options: Options): string;
    /** Returns the login for an address: what stands for its host and path, as npm looks it up. */
    getAuth(
      url: string,
      options: Options,
    ): { readonly token?: string; readonly auth?: string; readonly cert?: string; readonly key?: string };
  };
  export = registryFetch;
}

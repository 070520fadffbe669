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

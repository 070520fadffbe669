// The rows of grammar/files.yaml.

/** Places of keys; `holds` is the end of a sentence, after "may contain". Paths have `, ` between them. */
export interface KeyFiles {
  readonly holds: string;
  readonly paths: string;
}

/** Files that other programs execute or obey; `why` is a sentence that says which program does what with them. */
export interface ExecutedFiles {
  readonly why: string;
  readonly paths: string;
  readonly isPrivate?: true;
}

export interface FolderProgram {
  readonly names: string;
  readonly shallow?: true;
  readonly deep?: string;
  readonly here?: true;
  readonly pattern?: true;
  readonly follows?: string;
}

/** Lists are names separated by spaces. */
export interface ProjectRunner {
  readonly names: string;
  readonly only?: string;
  readonly files: string;
  readonly looksAbove?: true;
  readonly folderOptions?: string;
  readonly fileOptions?: string;
  readonly runsPackages?: true;
  readonly rest: string;
}

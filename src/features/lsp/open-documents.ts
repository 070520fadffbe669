// The documents that an editor has open, each with what its last check found. Checks follow the changes, one at a time: a
// text that changes meanwhile is checked again.
import { type Connection, TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import { DEFINITION_BYTES_MAX } from "../../core/catalog/load.ts";
import { CheckedDocuments, pathOf } from "./checked-documents.ts";
import { type CheckedDocument, type OpenDocument, shownDiagnostic } from "./protocol-words.ts";

export class OpenDocuments extends CheckedDocuments {
  readonly #connection: Connection;
  readonly #open = new TextDocuments(TextDocument);
  readonly #results = new Map<string, CheckedDocument>();
  readonly #waiting = new Set<string>();
  #checking: Promise<void> | undefined;

  constructor(connection: Connection, context: ConstructorParameters<typeof CheckedDocuments>[0]) {
    super(context);
    this.#connection = connection;
  }

  listen(): void {
    this.#open.onDidChangeContent(({ document }) => {
      const path = pathOf(document);
      if (path === undefined) return;
      this.set(path, document.getText());
      // Its neighbours may use it; the document itself is first.
      this.#waiting.add(document.uri);
      this.checkAll();
    });
    this.#open.onDidClose(({ document }) => {
      const path = pathOf(document);
      if (path !== undefined) this.set(path, undefined);
      this.#results.delete(document.uri);
      this.#connection.sendDiagnostics({ uri: document.uri, diagnostics: [] }).catch(() => undefined);
      this.checkAll();
    });
    this.#open.listen(this.#connection);
  }

  /** Checks every open document. */
  checkAll(): void {
    for (const uri of this.#open.keys()) this.#waiting.add(uri);
    this.#checking ??= this.#checkWaiting().finally(() => (this.#checking = undefined));
  }

  /** A document as it is now, with what was known around it at its last check. Undefined for one that is too long. */
  async now(uri: string): Promise<OpenDocument | undefined> {
    const document = this.#open.get(uri);
    const { looked } = this.#results.get(uri) ?? (await this.checked(uri)) ?? {};
    const text = document?.getText();
    if (!document || !looked || text === undefined || text.length > DEFINITION_BYTES_MAX) return undefined;
    return { document, looked: { ...looked, source: { path: looked.source.path, text } } };
  }

  /** The check of a document as it is now. */
  async checked(uri: string): Promise<CheckedDocument | undefined> {
    while (this.#checking && this.#results.get(uri)?.version !== this.#open.get(uri)?.version) await this.#checking;
    return this.#results.get(uri);
  }

  async #checkWaiting(): Promise<void> {
    // Changes that have come already are read first.
    const { afterTurn } = this.context.terminal;
    await new Promise<void>((resolve) => (afterTurn ? afterTurn(resolve) : resolve()));
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      const document = this.#open.get(uri);
      if (document) await this.#check(document);
    }
  }

  async #check(document: TextDocument): Promise<void> {
    const { uri, version } = document;
    const path = pathOf(document);
    try {
      const looked = path === undefined ? undefined : await this.look(path);
      const diagnostics = looked ? await this.diagnostics(looked) : [];
      if (document.version !== version) return void this.#waiting.add(uri);
      const found = diagnostics.map((one) => [one, shownDiagnostic(one, document, looked)] as const);
      if (looked) this.#results.set(uri, { document, looked, version, found });
      await this.#connection.sendDiagnostics({ uri, version, diagnostics: found.map(([, shown]) => shown) });
    } catch (error) {
      this.#connection.console.error(`${uri}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}

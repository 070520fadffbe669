/** The row of a table for a name from outside. An object has `constructor` and others that nobody wrote. */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: string | undefined): Row | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

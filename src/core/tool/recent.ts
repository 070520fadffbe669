// A map with a size limit: the oldest entry is removed first, and a caller that needs it again makes it again.

export class Recent<K, V> {
  readonly #countMax: number;
  readonly #values = new Map<K, V>();

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  has(key: K): boolean {
    return this.#values.has(key);
  }

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  set(key: K, value: V): void {
    this.#values.set(key, value);
    if (this.#values.size <= this.#countMax) return;
    for (const first of this.#values.keys()) {
      this.#values.delete(first);
      return;
    }
  }

  delete(key: K): void {
    this.#values.delete(key);
  }

  entries(): IterableIterator<[K, V]> {
    return this.#values.entries();
  }
}

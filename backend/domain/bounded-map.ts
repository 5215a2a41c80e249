/** A map of at most so many entries: what was set longest ago goes first, and `dropped` hears of it. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;
  readonly #dropped: (key: K, value: V) => void;

  constructor(most: number, dropped: (key: K, value: V) => void = () => undefined) {
    super();
    this.#most = most;
    this.#dropped = dropped;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.size > this.#most ? this : [];
    if (oldest === undefined) return this;
    this.delete(oldest[0]);
    this.#dropped(...oldest);
    return this;
  }
}

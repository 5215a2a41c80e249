/** A secret that was opened, pasted or configured: it prints as `[sealed]` wherever it turns up by accident. */
export class SealedValue {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value, for the one call that needs it. */
  reveal(): string {
    return this.#value;
  }

  /** Hands the value to what needs it, and to nothing else. */
  use<T>(work: (value: string) => T): T {
    return work(this.#value);
  }

  toString(): string {
    return '[sealed]';
  }

  toJSON(): string {
    return '[sealed]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[sealed]';
  }
}

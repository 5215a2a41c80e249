/** A secret that a person pasted: it prints `[sealed]` everywhere, and is opened for the one call that stores it. */
export class SealedText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[sealed]';
  }

  toJSON(): string {
    return '[sealed]';
  }
}

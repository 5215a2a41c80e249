/** Milliseconds that this thread has had a processor so far. */
export function threadTime(): number;

/** Watches the turns of this program's event loop from now on, by the processor time of its own thread. */
export function watchTurns(): {
  unref(): void;
  /** The longest turn since it was last asked for, in milliseconds of a quiet machine. */
  longest(): number;
  stop(): void;
};

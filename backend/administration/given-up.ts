/** What whoever runs the program wants to end. */
export interface GivenUp {
  /** Aborted, with the sentence as its reason, by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Lets the program end by signals again. */
  end(): void;
}

/** From here to its end SIGINT and SIGTERM do not end the program: look at `signal` before the last step. In: the sentence for whoever gave up. */
export function heedSignals(sentence: string): GivenUp {
  const stop = new AbortController();
  const giveUp = () => stop.abort(new Error(sentence));
  for (const signal of SIGNALS) process.on(signal, giveUp);
  return {
    signal: stop.signal,
    end() {
      for (const signal of SIGNALS) process.off(signal, giveUp);
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

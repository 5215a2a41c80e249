/** A request to end the program. */
export interface ShutdownSignal {
  /** Aborted, with the sentence as its reason, by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Lets the program end by signals again. */
  end(): void;
}

/** Until `end`, SIGINT and SIGTERM do not end the program: check `signal` before the last step. `sentence` is the message for a canceled run. */
export function onShutdownSignal(sentence: string): ShutdownSignal {
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

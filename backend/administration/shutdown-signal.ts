export interface ShutdownSignal {
  /** Aborted by SIGINT or SIGTERM, with the message as its reason. */
  readonly signal: AbortSignal;
  /** Lets signals end the program again. */
  end(): void;
}

/**
 * Until `end`, SIGINT and SIGTERM do not end the program: check `signal` before the last step. `sentence` is the message shown for a
 * canceled run.
 */
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

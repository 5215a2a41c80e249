/** Ids by which the service's traces connect what belongs together (W3C Trace Context). */
export interface Trace {
  /** `traceparent` of the next call. */
  header(): string;
  /** Calls from now on belong together, until what it answers is called; each call is a trace of its own else. */
  together(): () => void;
}

/** Nothing is recorded here: the ids are there for the service to record its part under, if it does. */
export function createTrace(): Trace {
  let shared: string | undefined;
  return {
    header: () => `00-${shared ?? randomHex(16)}-${randomHex(8)}-01`,
    together() {
      const own = randomHex(16);
      shared = own;
      return () => {
        if (shared === own) shared = undefined;
      };
    },
  };
}

function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

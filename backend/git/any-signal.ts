/**
 * Ends with the first of several signals, as `AbortSignal.any`, and keeps them as long as somebody listens: Node.js lets go of a deadline
 * (`AbortSignal.timeout`) that only a combined signal knows of, which then never comes.
 */
export function anySignal(...signals: readonly AbortSignal[]): AbortSignal {
  const first = AbortSignal.any([...signals]);
  kept.set(first, signals);
  return first;
}

const kept = new WeakMap<AbortSignal, readonly AbortSignal[]>();

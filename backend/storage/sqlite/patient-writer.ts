import { setTimeout as later } from 'node:timers/promises';
import { isBusy } from '../storage-error.ts';

/** Does something with the connection that writes, as soon as no other program does. */
export type PatientWriter = <T>(work: () => T) => Promise<T>;

/**
 * Another program may hold the right to write for long, as a move does. SQLite itself would wait for it on this thread, and so would everybody who
 * reads: here the thread goes on meanwhile. Writes keep their order. Rejects with the error of the engine after a second.
 */
export function patientWriter(): PatientWriter {
  let busy: { readonly error: unknown; readonly over: Promise<void> } | undefined;
  return async (work) => {
    const begun = performance.now();
    for (;;) {
      // All wait for the same moment, and go on in the order in which they came: whoever is first then asks for the others, too.
      if (busy === undefined) {
        try {
          return work();
        } catch (error) {
          if (!isBusy(error)) throw error;
          busy = {
            error,
            over: later(PAUSE).then(() => {
              busy = undefined;
            }),
          };
        }
      }
      if (performance.now() - begun >= PATIENCE) throw busy.error;
      await busy.over;
    }
  };
}

/** Milliseconds. */
const PATIENCE = 1000;
const PAUSE = 10;

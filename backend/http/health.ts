import type { ErrorCode } from '#contract/errors.ts';
import type { Outcome } from '#backend/domain/verb.ts';

/** Whether a program takes work. Not ready is an error like others in its headers; its body is the same as when it is ready. */
export async function health(isStopping: boolean, ping: () => Promise<unknown>): Promise<Outcome> {
  if (isStopping) return notReady('stopping', 'SHUTTING_DOWN', 'The service is stopping.', { connection: 'close' });
  try {
    await ping();
    return { status: 200, body: { status: 'ready' } };
  } catch {
    return notReady('failing', 'STORAGE_UNAVAILABLE', 'The storage does not answer.');
  }
}

function notReady(status: string, code: ErrorCode, sentence: string, more: Readonly<Record<string, string>> = {}): Outcome {
  return { status: 503, body: { status }, headers: { ...more, 'x-error': sentence, 'x-error-code': code } };
}

/** The service as it begins a sentence. */
export const TITLE = 'The service';

/** Of a request to another system: milliseconds, and bytes of its answer. */
export const REMOTE_LIMITS = { timeout: 10_000, sizeLimit: 10 * 1024 * 1024 };

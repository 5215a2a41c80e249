import { Refusal } from '@repoless/contract/refusal.ts';

/** Why a write could not be stored as decided, although the storage works. */
export type Conflict = 'changed' | 'content-root' | 'secret-holder';

/** A statement did not affect the rows that it had to, or violated a constraint: a concurrent write was faster. */
export class Conflicted extends Error {
  readonly conflict: Conflict;
  constructor(conflict: Conflict = 'changed', cause?: unknown) {
    super('Someone else changed it at the same time.', { cause });
    this.conflict = conflict;
  }
}

/** The conflict behind an error; undefined for every other error. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (error instanceof Conflicted) return error.conflict;
  const { code, constraint, message } = facts(error);
  // The last code is what the other statements of a failed transaction get.
  if (code === '40001' || code === '40P01' || code === '25P02') return 'changed';
  const isRoot = constraint === 'sites_content_root' || message.endsWith(': sites.content_root');
  // The trigger that enforces assigned authoring hosts.
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && isRoot) return 'content-root';
  if (code !== '23505' && code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined;
  if (isRoot) return 'content-root';
  if (constraint === 'sites_secret_holder' || message.endsWith(': sites.org, sites.repository')) return 'secret-holder';
  return 'changed';
}

/**
 * What a failed engine means to a caller: STORAGE_FULL or STORAGE_UNAVAILABLE, with the cause for the log only. Other errors are unchanged.
 */
export function storageError(error: unknown): unknown {
  const { code } = facts(error);
  if (FULL.has(code)) {
    const sentence = 'The storage is full; nothing was changed. Ask its operator to free up space, then repeat the request.';
    return new Refusal('STORAGE_FULL', sentence, {
      cause: error,
    });
  }
  if (DAMAGED.test(code)) return storageDamaged('', error);
  if (code.startsWith('SQLITE_READONLY') || code === '25006') return storageReadOnly(error);
  if (isBusy(error)) {
    const sentence = 'Another program is writing to the storage; nothing was changed. Repeat the request in a moment.';
    return new Refusal('STORAGE_UNAVAILABLE', sentence, { cause: error, retryAfter: 5 });
  }
  if (!isEngineCode(code)) return error;
  return new Refusal('STORAGE_UNAVAILABLE', 'The storage does not respond. Repeat the request in a moment.', {
    cause: error,
    retryAfter: 5,
  });
}

/** Takes the damaged table, an empty text if it is unknown. */
export function storageDamaged(table: string, cause?: unknown): Refusal {
  const what = table === '' ? 'The database' : `The table "${table}" of the database`;
  return new Refusal('STORAGE_DAMAGED', `${what} is damaged. Its operator must restore it from a backup.`, { cause });
}

export function storageReadOnly(cause?: unknown): Refusal {
  const sentence = 'The storage can be read but not written; nothing was changed. Its operator must make it writable.';
  return new Refusal('STORAGE_UNAVAILABLE', sentence, {
    cause,
    retryAfter: 60,
  });
}

/** Whether an engine found a damaged page. */
export function isDamage(error: unknown): boolean {
  return DAMAGED.test(facts(error).code);
}

/** Whether an error means that the engine is unreachable, so that a second attempt would fail in the same way. */
export function isUnreachable(error: unknown): boolean {
  return NETWORK.has(facts(error).code) || isBusy(error);
}

/** Whether the server did not respond at all, not even by closing. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether another program is writing to the embedded database. */
export function isBusy(error: unknown): boolean {
  const { code } = facts(error);
  return code.startsWith('SQLITE_BUSY');
}

/** Whether another server may have to be used: this one is unreachable, or does not accept writes. */
export function hasMoved(error: unknown): boolean {
  const { code } = facts(error);
  return NETWORK.has(code) || code === '25006' || /^(?:08|57P)/.test(code);
}

/**
 * Whether a statement was refused because its table has other columns than when the connection prepared it; it had no effect. A connection
 * never prepares a named statement again.
 */
export function isOutdatedPlan(error: unknown): boolean {
  const { code, message } = facts(error);
  return code === '0A000' && message.startsWith('cached plan');
}

export function conflictRefusal(conflict: Conflict, cause: unknown): Refusal {
  switch (conflict) {
    case 'content-root':
      return new Refusal('CONTENT_ROOT_TAKEN', 'Another site already has this content root.', { cause });
    case 'secret-holder':
      return new Refusal('SECRET_NOT_ALLOWED', 'Another site already holds the secret of this repository; omit secretId.', { cause });
    case 'changed':
      return new Refusal('STORAGE_UNAVAILABLE', 'Too many changes at once; nothing was changed. Repeat the request in a moment.', {
        cause,
        retryAfter: 1,
      });
    default:
      return conflict satisfies never;
  }
}

// PostgreSQL's codes have five characters (SQLSTATE), SQLite's start with its name, Node's with E.
function isEngineCode(code: string): boolean {
  return code.startsWith('SQLITE_') || /^[0-9A-Z]{5}$/.test(code) || NETWORK.has(code) || code === 'STORAGE_CLOSED';
}

function facts(error: unknown): { code: string; constraint: string; message: string } {
  if (!(error instanceof Error)) return { code: '', constraint: '', message: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
  // pg has no code for a lost connection, or a timeout of the pool.
  const lost = code === '' && LOST.test(error.message);
  return { code: lost ? 'ECONNRESET' : code, constraint, message: error.message };
}

const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed)|Query read timeout|timeout expired)/;
/** PostgreSQL: corrupted data or index, a block or a file that cannot be read. */
const DAMAGED = /^(?:SQLITE_CORRUPT|SQLITE_NOTADB|XX001|XX002|58030|58P01)/;
const FULL = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_SHMSIZE', '53100', 'ENOSPC']);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'ENOENT', 'EHOSTUNREACH']);

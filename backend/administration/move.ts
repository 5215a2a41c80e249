import { resolve } from 'node:path';
import type { Settings } from '../config.ts';
import { copyDatabase } from './copy-database.ts';
import { DATABASE_FILE } from './database-file.ts';
import { holdAlone, holdWrites } from './hold-database.ts';
import { markMoved, unmarkMoved } from './mark-moved.ts';
import { requireDatabase } from './require-database.ts';
import { requireStopped } from './require-stopped.ts';
import { UsageError } from './usage-error.ts';

/**
 * `move-database <postgres:// address>`: copies the embedded database to an empty PostgreSQL database in one transaction, and verifies both: every
 * document, version, reference and audit trail. The embedded database is unchanged except for a mark that makes services and commands refuse it.
 * The service must be stopped. `move-database --back` removes the mark.
 */
export async function move(args: readonly string[], settings: Settings): Promise<number> {
  const { address, back } = readOptions(args);
  if (settings.DATABASE_URL !== undefined)
    throw new UsageError('Unset DATABASE_URL: this command moves the embedded database in DATA_DIR.');
  const file = resolve(settings.DATA_DIR, DATABASE_FILE);
  if (back) {
    await requireStopped(settings);
    const to = await unmarkMoved(file);
    process.stdout.write(`The service can use ${file} again. Changes written to ${to} since the move are not in it.\n`);
    return 0;
  }
  await requireDatabase(settings);
  await requireStopped(settings);
  const moved = await moveHeld(file, address);
  process.stdout.write(`${moved}: moved. Set DATABASE_URL, and start the service.\n`);
  return 0;
}

/** A service that is started in the meantime cannot write, so no acknowledged write is lost. */
async function moveHeld(file: string, address: string): Promise<string> {
  const held = await holdWrites(file);
  const moved = await copyDatabase(file, address).finally(() => held.release());
  const alone = holdAlone(file);
  if (alone === undefined)
    throw new Error(`The service was started on ${file} in the meantime. Stop it, empty the PostgreSQL database, and move again.`);
  try {
    markMoved(alone, address);
  } finally {
    alone.close();
  }
  return moved;
}

interface MoveOptions {
  readonly address: string;
  readonly back: boolean;
}

function readOptions(args: readonly string[]): MoveOptions {
  const [address = '', ...more] = args;
  if (more.length === 0 && address === '--back') return { address: '', back: true };
  if (!/^postgres(?:ql)?:\/\//.test(address) || more.length > 0)
    throw new UsageError('Specify the database to move to: move-database <postgres:// address>. Or go back: move-database --back.');
  return { address, back: false };
}

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Settings } from '../config.ts';
import { copyDatabase } from './copy-database.ts';
import { DATABASE_FILE } from './database-file.ts';
import { moveLive } from './move-live.ts';
import { requireStopped } from './require-stopped.ts';
import { UsageError } from './usage-error.ts';

/**
 * `move-database <postgres:// address>`: copies the embedded database to an empty PostgreSQL database, all in one transaction, and verifies both:
 * every document, version, reference and audit trail. The embedded database stays as it is. The service is stopped meanwhile, or goes
 * on until the last seconds with `--live [--wait <seconds>]`.
 */
export async function move(words: readonly string[], settings: Settings): Promise<number> {
  const { address, live, wait } = asked(words);
  if (settings.DATABASE_URL !== undefined) throw new UsageError('Leave DATABASE_URL out: the embedded database in DATA_DIR is moved.');
  const file = join(settings.DATA_DIR, DATABASE_FILE);
  if (live) return await moveLive({ file, address, wait });
  await requireStopped(settings);
  const moved = await copyDatabase(file, address);
  process.stdout.write(`${moved}: moved. Set DATABASE_URL, and start the service.\n`);
  return 0;
}

function asked(words: readonly string[]): { readonly address: string; readonly live: boolean; readonly wait: number } {
  const { values, positionals } = parsed(words);
  const [address, ...more] = positionals;
  if (address === undefined || !/^postgres(?:ql)?:\/\//.test(address) || more.length > 0)
    throw new UsageError('Name the database that the service moves to: move-database [--live [--wait <seconds>]] <postgres:// address>.');
  const { live, wait = String(PATIENCE) } = values;
  if (!/^\d{1,6}$/.test(wait)) throw new UsageError('Write --wait as a number of seconds.');
  return { address, live, wait: Number(wait) * 1000 };
}

function parsed(words: readonly string[]) {
  try {
    const options = { live: { type: 'boolean', default: false }, wait: { type: 'string' } } as const;
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : '');
  }
}

/** Seconds until the service has to be stopped. */
const PATIENCE = 900;

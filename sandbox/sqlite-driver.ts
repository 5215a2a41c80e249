import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);

/** As in the service: version 13 of better-sqlite3 from Node.js 22 on where that is installed, else version 12. */
const DRIVER = Number.parseInt(process.versions.node, 10) < 22 ? require.resolve('better-sqlite3') : newest();

// Safe: both versions have the same calls, which is what the types of the older one say.
export const Database = require(DRIVER) as typeof BetterSqlite3;

function newest(): string {
  try {
    return require.resolve('better-sqlite3-13');
  } catch {
    return require.resolve('better-sqlite3');
  }
}

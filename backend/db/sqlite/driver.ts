import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);

/**
 * The file of better-sqlite3. From Node.js 22 on it is version 13 where that is installed: version 12 ends programs on 24.19 and later.
 * Before, it is version 12, for 13 is not made for Node.js 20.
 */
export const DRIVER = Number.parseInt(process.versions.node, 10) < 22 ? require.resolve('better-sqlite3') : newest();

// Safe: both versions have the same calls, which is what the types of the older one say.
export const Database = require(DRIVER) as typeof BetterSqlite3;

function newest(): string {
  try {
    return require.resolve('better-sqlite3-13');
  } catch {
    return require.resolve('better-sqlite3');
  }
}

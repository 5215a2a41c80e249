import { spawn } from 'node:child_process';

/**
 * Runs a program of PostgreSQL at a database. Its address goes by the environment, where no other account of the machine reads the
 * password. Rejects with a sentence where the program is missing or fails; what it says goes to standard error.
 */
export function postgresTool(program: 'pg_dump' | 'pg_restore', address: string, words: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env: { ...process.env, ...connection(address) }, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (cause) => {
      reject(
        new Error(`${program} could not be started. Install the client programs of PostgreSQL, of the server's version or newer.`, {
          cause,
        }),
      );
    });
    child.on('exit', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${program} failed, with what it says above. Nothing was put in the place of anything.`));
    });
  });
}

/** An address in the variables that libpq reads. */
function connection(address: string): Record<string, string> {
  const url = new URL(address);
  const parts = {
    PGHOST: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
    PGPORT: url.searchParams.get('port') ?? url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    PGSSLMODE: url.searchParams.get('sslmode') ?? '',
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
}

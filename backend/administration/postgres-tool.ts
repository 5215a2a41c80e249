import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Runs a program of PostgreSQL on a database. Passes the address in the environment, where no other account of the machine can read the
 * password. Rejects with a message if the program is missing or fails; its output goes to standard error. Ends it when `signal` is aborted.
 */
export async function postgresTool(program: 'pg_dump', address: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const env = { ...process.env, ...libpqEnvironment(address, process.env) };
  const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'], signal });
  await untilSuccess(program, child);
}

/** The output of `pg_restore` for a dump, without any database. Rejects and ends it as `postgresTool` does. */
export async function readDump(args: readonly string[], signal: AbortSignal): Promise<string> {
  const child = spawn('pg_restore', args, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  await untilSuccess('pg_restore', child);
  return output;
}

interface RestoreInput {
  readonly file: string;
  readonly address: string;
  /** Statements, of which the first starts a transaction. */
  readonly before: string;
  /** Statements, of which the last ends it. */
  readonly after: string;
  readonly signal: AbortSignal;
}

/**
 * Restores a dump between statements of the same transaction, which `pg_restore` itself cannot do. Interrupted at any point, nothing of it
 * takes effect, because the transaction ends with the last statement written. Rejects as `postgresTool` does. Ends both programs when
 * `signal` is aborted, and rejects unless the transaction ended before.
 */
export async function restoreDump({ file, address, before, after, signal }: RestoreInput): Promise<void> {
  const args = ['--no-psqlrc', '--quiet', '--no-password', '--set', 'ON_ERROR_STOP=1', '--set', 'SHOW_CONTEXT=never'];
  const database = spawn('psql', args, {
    env: { ...process.env, ...libpqEnvironment(address, process.env) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const done = untilSuccess('psql', database);
  const dump = spawn('pg_restore', ['--clean', '--if-exists', '--no-owner', '--file', '-', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  // If one of them ends early, so does the other; the reason is reported once.
  database.stdin.on('error', () => dump.stdout.destroy());
  database.stdin.write(before);
  dump.stdout.pipe(database.stdin, { end: false });
  const read = untilSuccess('pg_restore', dump).then(
    () => database.stdin.end(after),
    (error: unknown) => {
      database.stdin.destroy();
      throw error;
    },
  );
  // Ending the first rolls back the current statement, and ends the program.
  const end = () => {
    database.kill('SIGINT');
    dump.kill();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  // The first failure is the cause.
  await Promise.all([done, read]).finally(() => Promise.allSettled([done, read]));
}

function untilSuccess(program: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => {
      reject(
        new Error(`${program} could not be started. Install the client programs of PostgreSQL, of the server's version or newer.`, {
          cause,
        }),
      );
    });
    child.on('close', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${program} failed; its output is shown above. Nothing was replaced.`));
    });
  });
}

/** Refuses an address with a key password: libpq has no variable for it, and command lines are visible to other accounts. */
export function requirePassable(address: string): void {
  // An address of several servers is not a valid URL.
  if (!new URLSearchParams(/\?(.*)$/.exec(address)?.[1]).has('sslpassword')) return;
  throw new Error(
    'DATABASE_URL has sslpassword, which neither the service nor the PostgreSQL client programs support. Store the key without a password (openssl pkey -in <key> -out <other key>), readable only by the account of the service, set it as sslkey, and omit sslpassword.',
  );
}

/**
 * An address as the variables that libpq reads. Certificates are verified with those in the address, in PGSSLROOTCERT, or otherwise in
 * NODE_EXTRA_CA_CERTS, as in the service. Refuses as `requirePassable` does.
 */
function libpqEnvironment(address: string, { PGSSLROOTCERT = '', NODE_EXTRA_CA_CERTS = '' }: NodeJS.ProcessEnv): Record<string, string> {
  requirePassable(address);
  const url = new URL(address);
  const parts: Record<string, string> = {
    PGHOST: decodeURIComponent(url.hostname),
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
  };
  for (const [name, value] of url.searchParams) {
    const variable = VARIABLES[name];
    if (variable !== undefined) parts[variable] = value;
  }
  // A mode of the service's driver that libpq doesn't know: encrypted, certificate not verified.
  if (parts['PGSSLMODE'] === 'no-verify') parts['PGSSLMODE'] = 'require';
  if (parts['PGSSLMODE']?.startsWith('verify-') === true && PGSSLROOTCERT === '') parts['PGSSLROOTCERT'] ??= NODE_EXTRA_CA_CERTS;
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
}

/** By parameter name in addresses: https://www.postgresql.org/docs/current/libpq-envars.html */
const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  require_auth: 'PGREQUIREAUTH',
  channel_binding: 'PGCHANNELBINDING',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  sslmode: 'PGSSLMODE',
  sslnegotiation: 'PGSSLNEGOTIATION',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslcertmode: 'PGSSLCERTMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcrl: 'PGSSLCRL',
  sslcrldir: 'PGSSLCRLDIR',
  sslsni: 'PGSSLSNI',
  ssl_min_protocol_version: 'PGSSLMINPROTOCOLVERSION',
  ssl_max_protocol_version: 'PGSSLMAXPROTOCOLVERSION',
  requirepeer: 'PGREQUIREPEER',
  gssencmode: 'PGGSSENCMODE',
  krbsrvname: 'PGKRBSRVNAME',
  gsslib: 'PGGSSLIB',
  gssdelegation: 'PGGSSDELEGATION',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
};

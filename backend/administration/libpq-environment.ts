/** Refuses an address with a key password: libpq has no variable for it, and command lines are visible to other accounts. */
export function requirePassable(address: string): void {
  // An address of several servers is no URL.
  if (!new URLSearchParams(/\?(.*)$/.exec(address)?.[1]).has('sslpassword')) return;
  throw new Error(
    'DATABASE_URL has sslpassword, which neither the service nor the PostgreSQL client programs support. Store the key without a password (openssl pkey -in <key> -out <other key>), readable only by the account of the service, set it as sslkey, and omit sslpassword.',
  );
}

/**
 * An address in the variables that libpq reads. Certificates are verified by those that the address names, by PGSSLROOTCERT, or else by NODE_EXTRA_CA_CERTS,
 * as the service does. Refuses as `requirePassable` does.
 */
export function libpqEnvironment(
  address: string,
  { PGSSLROOTCERT = '', NODE_EXTRA_CA_CERTS = '' }: NodeJS.ProcessEnv,
): Record<string, string> {
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

/** By their names in addresses: https://www.postgresql.org/docs/current/libpq-envars.html */
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

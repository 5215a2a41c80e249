import { join } from 'node:path';
import type { Workspace } from '../workspace.ts';
import { ADMIN } from './site-input.ts';

/** Where a backend of the benchmarks keeps what it stores. */
export interface Place {
  readonly dataDirectory: string;
  /** Address of a PostgreSQL database; without it the store is the embedded one in the data directory. */
  readonly databaseUrl?: string;
  /** Settings over those of every benchmark. */
  readonly settings?: Readonly<Record<string, string>>;
}

export const PUBLIC_ADDRESS = 'http://admin.bench.test';
export const PREVIEW_DOMAIN = 'preview.bench.test';
export const LIVE_DOMAIN = 'live.bench.test';
export const CODE_HOST = 'https://github.com';

export async function newPlace(workspace: Workspace, databaseUrl?: string): Promise<Place> {
  const dataDirectory = await workspace.directory('data');
  return { dataDirectory, ...(databaseUrl === undefined ? {} : { databaseUrl }) };
}

/** The file of the keys that sign tokens: the benchmarks issue theirs with it. */
export function signingKeyFile(place: Place): string {
  return join(place.dataDirectory, 'signing-keys.json');
}

/** The settings of a backend at this place. */
export function settingsOf(place: Place, port: number): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_ADDRESS,
    PREVIEW_DOMAIN,
    LIVE_DOMAIN,
    HOST_PROTOCOL: 'http',
    DATA_DIR: place.dataDirectory,
    ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
    SIGNING_KEY_FILE: signingKeyFile(place),
    CODE_HOST,
    OPERATORS: ADMIN,
    FIRST_CODE_SYNC: 'no',
    SITE_CHECK_INTERVAL: '0',
    RATE_LIMIT: '0',
    // Who is late on a busy machine is measured, too.
    OVERLOAD_DELAY: '0',
    NODE_ENV: 'production',
    ...place.settings,
  };
}

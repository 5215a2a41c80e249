import { readCredential } from '@repoless/upstream/credential.ts';
import { readFile } from 'node:fs/promises';

/** An API key of the hosted service with which this service itself reads the sites of an organization. */
export interface StandingKey {
  readonly org: string;
  readonly id: string;
  readonly token: string;
  /** Seconds since 1970; absent if the key does not contain it. */
  readonly ends?: number;
}

const SETTING = 'UPSTREAM_KEYS_FILE';

/**
 * Reads a file with an API key on each line; empty lines and those that start with "#" are ignored. Throws a message that names the line,
 * but none of its content. An administrator's key is refused: it could do more than a check needs.
 */
export async function readStandingKeys(file: string): Promise<readonly StandingKey[]> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`The file of ${SETTING} cannot be read.`);
  });
  const keys = new Map<string, StandingKey>();
  for (const [index, line] of text.split('\n').entries()) {
    const token = line.trim();
    if (token === '' || token.startsWith('#')) continue;
    const key = standingKey(token, `Line ${index + 1} of the file of ${SETTING}`);
    if (keys.has(key.org)) throw new Error(`The file of ${SETTING} has two keys of the organization "${key.org}". Keep one of them.`);
    keys.set(key.org, key);
  }
  return [...keys.values()];
}

function standingKey(token: string, line: string): StandingKey {
  const { kind, id = '', subject = '', roles = [], expires } = readCredential(token);
  const org = /^([^/]+)\/\*?$/.exec(subject)?.[1];
  if (kind !== 'api-key' || org === undefined)
    throw new Error(
      `${line} is no API key of an organization. Make one on the hosted service for all of its sites, with the role config_admin.`,
    );
  if (!roles.includes('config_admin'))
    throw new Error(`${line} is a key without the role config_admin, so that it lists and reads no sites. Make one with that role.`);
  if (roles.includes('admin'))
    throw new Error(`${line} is a key with the role admin, which can change who has access. Make one with the role config_admin alone.`);
  return { org, id, token, ...(expires === undefined ? {} : { ends: expires }) };
}

import { createLocalJWKSet, errors } from 'jose';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Remote } from './remote.ts';

/** Milliseconds between two requests to an issuer, whatever tokens arrive. */
const COOL_DOWN = 10_000;
/** Milliseconds after which the keys are read again even if all tokens fit, because an issuer may have taken one back. */
const FRESH = 600_000;
/** Milliseconds for which the keys that are known still count while their issuer cannot be asked. */
const STILL_GOOD = 3_600_000;

const Discovered = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });
const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The issuer's keys cannot be had at the moment. */
export class IssuerKeysUnreachable extends Error {
  override readonly name = 'IssuerKeysUnreachable';
}

/**
 * The published keys of an issuer. An unknown key makes them be read again, including the address of the key set, so that an issuer can rotate its
 * keys. Throws IssuerKeysUnreachable.
 */
export function createIssuerKeys(remote: Remote, issuer: string, now: () => Date): JWTVerifyGetKey {
  let known: { readonly find: JWTVerifyGetKey; readonly at: number } | undefined;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;

  const age = (since: number): number => now().getTime() - since;
  const read = async (): Promise<void> => {
    askedAt = now().getTime();
    const keys = await readKeys(remote, issuer);
    known = { find: createLocalJWKSet(keys), at: now().getTime() };
  };
  /** One request at a time, shared by all who wait. */
  const refresh = (): Promise<void> => (asking ??= read().finally(() => (asking = undefined)));
  const mayAsk = (): boolean => asking !== undefined || age(askedAt) >= COOL_DOWN;

  return async (header, token) => {
    if ((known === undefined || age(known.at) >= FRESH) && mayAsk()) {
      await refresh().catch((error: unknown) => {
        if (known === undefined || age(known.at) >= STILL_GOOD) throw error;
      });
    }
    if (known === undefined || age(known.at) >= STILL_GOOD) throw new IssuerKeysUnreachable();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk()) throw error;
      await refresh();
      return await known.find(header, token);
    }
  };
}

async function readKeys(remote: Remote, issuer: string): Promise<JSONWebKeySet> {
  const configuration = Discovered.safeParse(await readJson(remote, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
  if (!configuration.success || configuration.data.issuer !== issuer) throw new IssuerKeysUnreachable();
  const keys = KeySet.safeParse(await readJson(remote, configuration.data.jwks_uri));
  if (!keys.success) throw new IssuerKeysUnreachable();
  return keys.data;
}

async function readJson(remote: Remote, url: string): Promise<unknown> {
  const answer = await remote.send({ url, method: 'GET', headers: { accept: 'application/json' } });
  if (answer.status !== 200) throw new IssuerKeysUnreachable();
  try {
    return JSON.parse(new TextDecoder().decode(answer.body));
  } catch {
    throw new IssuerKeysUnreachable();
  }
}

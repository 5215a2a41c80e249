import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';
import { z } from 'zod';

/** What a restart must not change: the key that signs, and the keys of the cookies. */
export interface Keys {
  readonly jwks: { keys: JWK[] };
  readonly cookieKeys: string[];
}

const KeptKeys = z.object({ jwks: z.object({ keys: z.array(z.looseObject({ kty: z.literal('EC') })) }), cookieKeys: z.array(z.string()) });

export async function persistedKeys(dataDir: string): Promise<Keys> {
  const file = join(dataDir, 'identity-provider-keys.json');
  const kept = await readJson(file);
  if (kept !== undefined) return KeptKeys.parse(kept);
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomBytes(8).toString('hex'), use: 'sig', alg: 'ES256' };
  const keys = { jwks: { keys: [key] }, cookieKeys: [randomBytes(32).toString('base64url')] };
  await writeJson(file, keys);
  return keys;
}

const Kept = z.object({ payload: z.record(z.string(), z.unknown()), expires: z.number().optional() });
type Kept = z.infer<typeof Kept>;

/** Sessions, grants and codes in one file, so that a restart of the sandbox signs nobody out. */
export async function persistedState(dataDir: string): Promise<{ adapter: (model: string) => Adapter; settled(): Promise<void> }> {
  const file = join(dataDir, 'identity-provider-state.json');
  const parsed = z.record(z.string(), Kept).safeParse(await readJson(file));
  const state = new Map<string, Kept>(Object.entries(parsed.success ? parsed.data : {}));
  let writing = Promise.resolve();

  const keep = (): Promise<void> => {
    for (const [key, { expires }] of state) if (expires !== undefined && expires <= Date.now()) state.delete(key);
    const text = Object.fromEntries(state);
    writing = writing.then(() => writeJson(file, text));
    return writing;
  };
  const payload = (kept: Kept | undefined): AdapterPayload | undefined =>
    kept === undefined || (kept.expires !== undefined && kept.expires <= Date.now()) ? undefined : kept.payload;

  return {
    settled: () => writing,
    adapter: (model) => {
      const find = (name: string, value: string) =>
        payload([...state].find(([key, kept]) => key.startsWith(`${model}:`) && kept.payload[name] === value)?.[1]);
      return {
        async upsert(id, value, expiresIn) {
          const expires = expiresIn === undefined ? {} : { expires: Date.now() + expiresIn * 1000 };
          state.set(`${model}:${id}`, { payload: { ...value }, ...expires });
          await keep();
        },
        find: (id) => Promise.resolve(payload(state.get(`${model}:${id}`))),
        findByUid: (uid) => Promise.resolve(find('uid', uid)),
        findByUserCode: (userCode) => Promise.resolve(find('userCode', userCode)),
        async consume(id) {
          const kept = state.get(`${model}:${id}`);
          if (kept !== undefined) kept.payload['consumed'] = Math.floor(Date.now() / 1000);
          await keep();
        },
        async destroy(id) {
          state.delete(`${model}:${id}`);
          await keep();
        },
        async revokeByGrantId(grantId) {
          for (const [key, kept] of state) if (kept.payload['grantId'] === grantId) state.delete(key);
          await keep();
        },
      };
    },
  };
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.draft`, JSON.stringify(value), { mode: 0o600 });
  await rename(`${file}.draft`, file);
}

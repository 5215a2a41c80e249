import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask, type TestAnswer } from '../support/ask.ts';
import { OPERATOR } from '../support/backend.ts';
import { type ChildBackend, startChildBackend } from '../support/child-backend.ts';

type Headers = Readonly<Record<string, string>>;

/** A program under fuzzing, with data to work on, and data of another organization. */
export interface FuzzTarget {
  readonly child: ChildBackend;
  /** Its calls as an OpenAPI document. */
  readonly document: unknown;
  /** Headers of callers with and without rights, at a path. */
  credentials(path: string): readonly Headers[];
  /** Host headers of sites. */
  readonly hosts: readonly string[];
  /** The usual values of path parameters. */
  names(): Headers;
  /** Further texts that the program knows. */
  readonly known: readonly string[];
  /** Credentials that depend on the body, such as a signature. */
  signed(path: string, body: Buffer): { readonly headers: Headers; readonly query: Headers } | undefined;
  /** Recreates what requests have removed. */
  renew(): Promise<void>;
  /** Requests data of the other organization, whose readers must not be affected. */
  bystander(): Promise<TestAnswer>;
  stop(): Promise<void>;
}

/** The current memory of a program in bytes. */
export async function memoryOf({ child }: ChildBackend): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}

export interface FuzzedService {
  readonly child: ChildBackend;
  tokenOf(email: string): Promise<string>;
  /** Issues tokens that are valid despite all sessions ended so far. */
  signIn(): (email: string) => Promise<string>;
  /** Calls the service as the operator, who has claimed `wknd` and `other`; `media`: the type of a text body. Rejects if refused. */
  call(method: string, path: string, body?: unknown, media?: string): Promise<TestAnswer>;
  stop(): Promise<void>;
}

/** The service as a program; `other` is the address of all other systems. */
export async function startFuzzedService(folder: string, other: string, more: Headers = {}): Promise<FuzzedService> {
  const child = await startChildBackend(folder, { ...UNRECORDED, CODE_HOST: other, CODE_HOST_API: other, CODE_HOST_RAW: other, ...more });
  const store = await openStore({ dataDir: folder });
  const keys = await openSigningKeys(join(folder, 'signing-keys.json'));
  const tokenOf = (email: string) => signIn()(email);
  // A new issuer each time, because its cache of ended sessions is outdated once the program has ended some.
  const signIn: FuzzedService['signIn'] = () => {
    const issuer = createTokens({ keys, issuer: child.address, lifetime: 86_400, store, now: () => new Date() });
    return async (email) => (await issuer.issue({ email })).token;
  };
  const call = callerOf(child.address, async () => ({ 'x-auth-token': await tokenOf(OPERATOR) }));
  for (const org of ['wknd', 'other']) await call('PUT', `/config/${org}.json`, {});
  return {
    child,
    tokenOf,
    signIn,
    call,
    async stop() {
      await end(child);
      await store.close();
    },
  };
}

export function callerOf(address: string, headers: () => Promise<Headers>): FuzzedService['call'] {
  return async (method, path, body, media) => {
    const sent = { ...(await headers()), ...(media !== undefined && { 'content-type': media }) };
    const answer = await ask(address, path, { method, headers: sent, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
}

export async function end({ child, ended }: ChildBackend): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** The fuzzer checks the answers itself, without the recorder of test programs, because messages contain generated values. */
export const UNRECORDED = { NODE_OPTIONS: '', INTERNAL_ADDRESSES: 'allow', OPERATORS: OPERATOR, RATE_LIMIT: '0', LOG_LEVEL: 'error' };

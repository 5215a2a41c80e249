import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { Challenge, Org } from '@repoless/contract/org.ts';
import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import { Problem } from '@repoless/contract/errors.ts';
import { aliasesOf } from '@repoless/contract/public-api.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { filledPath } from './path-parameters.ts';

/** A claimed organization with one of everything, and an unclaimed one of the code host. Names of equal length. */
const [CLAIMED, ABSENT] = ['wknd', 'acme'];
const AUTHOR = 'author@example.com';
const STRANGER = 'stranger@example.com';
const SECOND_OPERATOR = 'second.operator@example.com';
/** A claim is decided after reading its body; every other call is refused earlier. */
const BODIES: Readonly<Record<string, unknown>> = { putOrg: {}, postOrg: {}, challengeOrg: { repository: 'code' } };
/** Reads of the storage, in order. */
const read: string[] = [];
/** Identifiers that the claimed organization has. */
let ids = { user: '', id: '' };
const credentials = new Map<string, string | undefined>([['anonymous', undefined]]);

const backend = startBeforeAll(() =>
  startTestBackend({
    orgs: ['wknd', 'acme', 'other'],
    claim: false,
    dryRun: false,
    open: async (dataDir) => withRecordedReads(await openStore({ dataDir }), read),
    settings: { OPERATORS: `${OPERATOR},${SECOND_OPERATOR}` },
  }),
);
const { call } = callsAs(backend, OPERATOR);
beforeAll(async () => {
  for (const org of [CLAIMED, 'other']) await done('PUT', `/config/${org}.json`, { groups: { editors: { members: [] } } });
  await done('PUT', '/config/wknd/profiles/shared.json', {});
  await done(
    'PUT',
    '/config/wknd/sites/known.json',
    siteBody(CLAIMED, 'known', {
      access: { admin: { role: { admin: [OPERATOR], author: [AUTHOR] } } },
      groups: { editors: { members: [] } },
    }),
  );
  credentials.set('stranger', await backend.token(STRANGER));
  const { users } = Org.parse((await call('GET', '/config/wknd.json')).json());
  const own = await call('POST', '/config/wknd/sites/known/apiKeys.json', { roles: ['author'] });
  ids = { user: users[0]?.id ?? '', id: CreatedApiKey.parse(own.json()).id };
  const key = await call('POST', '/config/other/apiKeys.json', { roles: ['admin'] });
  credentials.set('key of another organization', CreatedApiKey.parse(key.json()).value);
});

const rows = allEndpoints().filter(([, row]) => row.path.includes('{org}') && row.path.startsWith('/config'));

it('covers all calls on organizations', () => {
  expect(rows.length).toBeGreaterThan(120);
});

// Concurrent, because each answer waits for the next time step.
describe.concurrent.each(rows)('%s', (id, row) => {
  it('gives a stranger the same answer whether the organization exists or not', async () => {
    const paths = [row.path, ...aliasesOf(row.path).map((alias) => alias.path)];
    const calls = paths.flatMap((path) => [...credentials.keys()].map((who) => ({ path, who })));
    await Promise.all(
      calls.map(async ({ path, who }) => {
        const forClaimed = await answerTo(id, row, { path, who, org: CLAIMED });
        expect(forClaimed, `${path} as ${who}`).toEqual(await answerTo(id, row, { path, who, org: ABSENT }));
        const refused = who === 'anonymous' ? [401] : [403, 404];
        if (id !== 'challengeOrg' || who !== 'stranger') expect(refused, `${path} as ${who}`).toContain(forClaimed.status);
      }),
    );
  });
});

describe('in the storage,', () => {
  const callers = ['anonymous', 'stranger'] as const;
  // Warms the cache of tokens.
  beforeAll(async () => {
    await Promise.all(rows.flatMap(([id, row]) => callers.map((who) => answerTo(id, row, { path: row.path, who, org: ABSENT }))));
  });

  it.each(rows.flatMap(([id, row]) => callers.map((who) => ({ id, row, who }))))(
    '$id reads the same for a caller who is $who, whether the organization exists or not',
    async ({ id, row, who }) => {
      const reads = async (org: string) => {
        read.length = 0;
        await answerTo(id, row, { path: row.path, who, org });
        return [...read];
      };
      const found = await reads(CLAIMED);
      expect(found).toEqual(await reads(ABSENT));
      // Anonymous callers have no rights in any organization, so it is not read.
      if (who === 'anonymous') expect(found.filter((name) => name.startsWith('org'))).toEqual([]);
    },
  );
});

it.each([CLAIMED, ABSENT])('a stranger is refused no earlier than at the first time step: %s', async (org) => {
  const started = performance.now();
  expect((await backend.call('GET', `/config/${org}.json`, { as: STRANGER })).status).toBe(404);
  // A timer may fire slightly early.
  expect(performance.now() - started).toBeGreaterThan(45);
});

describe('an operator who claims a claimed organization', () => {
  it('learns who claimed it', async () => {
    const answer = await backend.call('PUT', '/config/wknd.json', { as: SECOND_OPERATOR, body: {} });
    expect(answer.status).toBe(409);
    expect(Problem.parse(answer.json())).toMatchObject({ code: 'ORG_ALREADY_CLAIMED', data: { grantedBy: OPERATOR } });
    const { users } = Org.parse((await call('GET', '/config/wknd.json')).json());
    expect(users.map(({ email }) => email)).toEqual([OPERATOR]);
  });
});

describe('a person with a role on one site', () => {
  it('learns the reason of a refusal there, and elsewhere no more than a stranger', async () => {
    const caller = { as: AUTHOR };
    expect((await backend.call('GET', '/config/wknd/sites/known.json', caller)).status).toBe(403);
    expect((await backend.call('GET', '/config/wknd.json', caller)).code).toBe('ORG_NOT_FOUND');
  });
});

async function answerTo(
  id: string,
  row: Endpoint,
  { path: form, who, org }: { path: string; who: string; org: string },
): Promise<Pick<TestAnswer, 'status' | 'headers'> & { body: unknown }> {
  const path = filledPath(form, { site: 'known', 'path*': 'blocks/hero.js', org, ...ids });
  const token = credentials.get(who);
  const [media] = row.body?.media ?? [];
  const body = media === undefined ? {} : { body: media === 'application/json' ? (BODIES[id] ?? { any: 'thing' }) : 'text' };
  const headers = { ...(media !== undefined && { 'content-type': media }), ...(token !== undefined && { 'x-auth-token': token }) };
  const answer = await backend.call(row.method, path, { ...body, headers });
  return { status: answer.status, headers: headersOf(answer, org), body: bodyOf(answer, org) };
}

function headersOf({ headers }: TestAnswer, org: string): TestAnswer['headers'] {
  const { date: _date, 'x-request-id': _id, etag, ...others } = headers;
  const kept = Object.entries(others).map(([name, value]) => [name, value?.replaceAll(org, 'ORG')]);
  return Object.fromEntries([...kept, ['etag', etag === undefined ? undefined : 'some']]);
}

/** Without what varies: request ids, and the token and time of a challenge. */
function bodyOf({ text }: TestAnswer, org: string): unknown {
  if (text === '') return undefined;
  const value: unknown = JSON.parse(text.replaceAll(org, 'ORG'));
  const challenge = Challenge.safeParse(value);
  if (challenge.success) return { ...challenge.data, token: 'some', expires: 'some' };
  const { requestId: _id, ...problem } = Problem.parse(value);
  return problem;
}

async function done(method: string, path: string, body: unknown): Promise<void> {
  const { status, text } = await call(method, path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
}

/** Records reads of organizations and sites. */
function withRecordedReads(store: Store, read: string[]): Store {
  const reads = new Proxy(store.reads, {
    get(target, name, receiver) {
      read.push(String(name));
      const value: unknown = Reflect.get(target, name, receiver);
      return value;
    },
  });
  return { ...store, reads };
}

import { LIMITS } from '@repoless/contract/limits.ts';
import { createHmac } from 'node:crypto';
import { HOSTILE_DOCUMENTS } from '../faults/hostile-documents.ts';
import { HOSTILE_REQUESTS } from '../faults/hostile-requests.ts';
import { type Hostile, type HostileWorld, list, many } from '../faults/hostile-world.ts';
import { OPERATOR } from '../support/backend.ts';

/** What a tenant sends, stores or serves at a limit, as large and as expensive to evaluate as the limit allows. */
export interface LimitInput extends Hostile {
  /** The names in docs/operations.md of the limits that it reaches. */
  readonly limits: readonly string[];
  /** Creates what must exist before; not measured. */
  prepare?(world: HostileWorld): Promise<unknown>;
}

export function at(limits: readonly string[], input: Hostile, prepare?: LimitInput['prepare']): LimitInput {
  return { ...input, limits, ...(prepare !== undefined && { prepare }) };
}

export const WEBHOOK_SECRET = 'the-secret-of-the-code-host';
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

function known(limits: readonly string[], inputs: readonly Hostile[], prefix: string): LimitInput {
  const input = inputs.find(({ name }) => name.startsWith(prefix));
  if (input === undefined) throw new Error(`There is no input ${prefix}.`);
  return at(limits, input);
}

function push(more: Readonly<Record<string, unknown>>) {
  return async (world: HostileWorld) => {
    const body = JSON.stringify({ ref: 'refs/heads/main', repository: { full_name: 'wknd/wknd' }, ...more });
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': `${Date.now()}`,
      'x-hub-signature-256': `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`,
    };
    return [await statusOf(world.call('POST', '/webhook/github', { body, headers }))];
  };
}

async function longSites(world: HostileWorld): Promise<void> {
  for (let index = 0; index < 138; index += 1) await world.put(`long-${index}`, { public: { text: 'x'.repeat(110_000) } });
}

async function manyOrgs(world: HostileWorld): Promise<void> {
  for (let index = 0; index < 120; index += 1)
    await world.call('PUT', `/config/org-${index}.json`, { body: { users: [{ email: OPERATOR, roles: ['admin'] }] } });
}

/** Requests, and data that grows by many calls. */
export const REQUEST_INPUTS: readonly LimitInput[] = [
  at(['formFields'], {
    name: '1,000 fields of a form of 1 MB',
    run: async (world) => {
      const body = list(LIMITS.formFields, (index) => `f${index}=${'%25'.repeat(340)}`).join('&');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return [await statusOf(world.call('POST', '/config/wknd/apiKeys.json', { body, headers }))];
    },
  }),
  at(['exchangeBody', 'exchangedToken'], {
    name: 'a token of 16,000 characters is exchanged',
    run: async (world) => [
      await statusOf(world.call('POST', '/auth/exchange', { body: { token: `${'a'.repeat(8000)}.${'b'.repeat(7900)}.c` } })),
    ],
  }),
  at(['publicBody', 'publicField'], {
    name: '4,000 bytes of a call that needs no token',
    run: async (world) => [
      await statusOf(
        world.call('POST', '/auth/device', {
          body: 'scope=&'.repeat(580),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      ),
    ],
  }),
  known([], HOSTILE_REQUESTS, 'a query with 7,000 values'),
  known([], HOSTILE_REQUESTS, 'if-none-match with 3,000'),
  at(['BODY_LIMIT', 'rememberedDeliveries'], {
    name: 'a push of 1 MB of commits',
    run: push({ commits: list(5000, (index) => ({ id: 'a'.repeat(40), message: `${index}`.padEnd(100, 'm'), added: [], removed: [] })) }),
  }),
  known(['codeSourceQueriesAtOnce', 'codeSourceQueriesPerOrg', 'probeTime'], HOSTILE_REQUESTS, '40 concurrent queries for branches'),
  at(
    ['listLength'],
    {
      name: 'a list of 138 sites and 15 MB, with details',
      run: async (world) => [await statusOf(world.call('GET', '/config/wknd/sites.json?details=true'))],
    },
    longSites,
  ),
  at(
    ['ownOrgs', 'ownOrgsSearched'],
    { name: '120 organizations of a person', run: async (world) => [await statusOf(world.call('GET', '/orgs.json'))] },
    manyOrgs,
  ),
  known(['documentValues'], HOSTILE_DOCUMENTS, 'a profile of 3,000 values'),
  known(['ORG_SECRETS', 'ORG_API_KEYS'], HOSTILE_DOCUMENTS, '300 secrets'),
  known(['jobStreams'], HOSTILE_DOCUMENTS, '60 streams'),
  at(['bodyValues'], {
    name: '1,400 users of an organization, then one more',
    run: async (world) => {
      const users = [
        { email: OPERATOR, roles: ['admin'] },
        ...list(1400, (index) => ({ email: `u${index}@example.com`, roles: ['author'] })),
      ];
      return [
        await statusOf(world.call('POST', '/config/wknd.json', { body: { users } })),
        await statusOf(world.call('POST', '/config/wknd/users.json', { body: { email: 'one@example.com', roles: ['author'] } })),
      ];
    },
  }),
  at(['BODY_LIMIT'], {
    name: '`robots.txt` of 1 MB',
    run: async (world) => [
      (await world.put('robots', { robots: { txt: 'Disallow: /\n'.repeat(80_000) }, public: many(3, () => 1) })).status,
    ],
  }),
];

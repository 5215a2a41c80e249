import { LIMITS } from '@repoless/contract/limits.ts';
import { request } from 'node:http';
import { OPERATOR } from '../support/backend.ts';
import { type Hostile, type HostileWorld, list, many } from './hostile-world.ts';

const SITES = 60;
const write = async (world: HostileWorld, method: string, path: string, body: unknown) => (await world.call(method, path, { body })).status;

/** Opens a stream of jobs. Returns its status, and how to close it. */
function openStream({ port }: HostileWorld, token: Readonly<Record<string, string>>): Promise<{ status: number; close(): void }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/event-stream', ...token };
    const outgoing = request({ port, host: '127.0.0.1', path: '/job/wknd/warm/main/code', headers, agent: false }, (incoming) => {
      incoming.resume();
      incoming.on('error', () => undefined);
      resolve({ status: incoming.statusCode ?? 0, close: () => outgoing.destroy() });
    });
    outgoing.on('error', reject).end();
  });
}

/** Documents that grow by many small writes, and changes to many documents at once. */
export const HOSTILE_DOCUMENTS: readonly Hostile[] = [
  {
    name: 'a profile of 3,000 values that 60 sites of 900 values extend, changed twice',
    async run(world) {
      const profile = (value: number) => ({ public: many(3000, () => value, 'p') });
      const statuses = [await write(world, 'PUT', '/config/wknd/profiles/wide.json', profile(0))];
      for (let index = 0; index < SITES; index += 1) {
        const put = await world.put(`wide-${index}`, { extends: { profile: 'wide' }, public: many(900, () => index) });
        statuses.push(put.status);
      }
      statuses.push(await write(world, 'PUT', '/config/wknd/profiles/wide.json?dryRun=true', profile(1)));
      statuses.push(await write(world, 'PUT', '/config/wknd/profiles/wide.json', profile(2)));
      return statuses;
    },
  },
  {
    name: 'a list of sites of 120 kB each, with details',
    alsoCorrect: [],
    async run(world) {
      const statuses: number[] = [];
      for (let index = 0; index < 150; index += 1)
        statuses.push((await world.put(`long-${index}`, { public: { text: 'x'.repeat(120_000) } })).status);
      for (const query of ['details=true', 'details=true&limit=100', 'details=true&limit=1000', ''])
        statuses.push((await world.call('GET', `/config/wknd/sites.json?${query}`)).status);
      return statuses;
    },
  },
  {
    name: 'groups that are added up to the limit',
    async run(world) {
      const members = list(900, (index) => ({ email: `a${index}@example.com` }));
      const statuses = [(await world.put('grown')).status];
      while (statuses.at(-1) !== 413 && statuses.length < 20)
        statuses.push(await write(world, 'POST', `/config/wknd/sites/grown/groups/g${statuses.length}.json`, { members }));
      if (statuses.at(-1) !== 413) throw new Error('A document grows without limit.');
      return statuses;
    },
  },
  {
    name: 'users of the organization that are added up to the limit',
    async run(world) {
      const users = (from: number) => [
        { email: OPERATOR, roles: ['admin'] },
        ...list(from, (index) => ({ email: `u${index}@example.com`, roles: ['author'] })),
      ];
      return [
        await write(world, 'POST', '/config/wknd.json', { users: users(1400) }),
        await write(world, 'POST', '/config/wknd/users.json', { email: 'one@example.com', roles: ['author', 'publish'] }),
        await write(world, 'POST', '/config/wknd.json', { users: users(0) }),
      ];
    },
  },
  {
    name: '300 secrets and 300 API keys of a site, listed',
    async run(world) {
      const statuses: number[] = [];
      for (let index = 0; index < 300; index += 1) {
        statuses.push(await write(world, 'POST', `/config/wknd/sites/warm/secrets/s${index}.json`, {}));
        statuses.push(await write(world, 'POST', '/config/wknd/sites/warm/apiKeys.json', {}));
      }
      for (const path of ['secrets', 'apiKeys', 'versions', 'log'])
        statuses.push((await world.call('GET', `/config/wknd/sites/warm/${path}.json`)).status);
      return statuses;
    },
  },
  {
    name: '60 streams of jobs of one person',
    alsoCorrect: [503],
    async run(world) {
      const streams = [];
      for (let count = 0; count < 60; count += 1) streams.push(await openStream(world, world.credential));
      for (const { close } of streams) close();
      const statuses = streams.map(({ status }) => status);
      const opened = statuses.filter((status) => status === 200).length;
      if (opened !== LIMITS.jobStreamsOfPerson)
        throw new Error(`Of 60 streams of a person, ${LIMITS.jobStreamsOfPerson} may be open: ${statuses.join(' ')}`);
      return statuses;
    },
  },
];

import { type Client, createClient } from '@repoless/core/api/client.ts';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { endpoints } from '@repoless/contract/endpoints.ts';
import type { UNENFORCED_RULES } from '@repoless/upstream/rules.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { startTestBackend } from '../support/backend.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { startHostedWorld } from './hosted-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const world = startHostedWorld();
/** The same client on both: our own service, and the hosted one behind the bridge. */
let both: { readonly own: Client; readonly hosted: Client };
beforeAll(async () => {
  world.hosted.set({ versionsSurviveDelete: true });
});
const backend = startBeforeAll(() =>
  startTestBackend({ users: [EXAMPLE.admin, 'operator@example.com'].map((email) => ({ email, roles: ['admin'] })) }),
);
beforeAll(async () => {
  const tokens = { own: await backend.token(EXAMPLE.admin), hosted: world.hosted.token('session', { email: EXAMPLE.admin }) };
  both = {
    own: createClient({ service: backend.address, token: async () => tokens.own }),
    hosted: createClient({ service: world.hosted.address, token: async () => tokens.hosted, fetch: world.fetch }),
  };
});

/** A write of the contract. `condition`: the current etag of the address, or another. */
interface Step {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly query?: string;
  readonly condition?: 'current' | 'other' | 'none';
}

/** Rules that the hosted service lacks: after one applies, the configurations may differ. */
const UNENFORCED: Readonly<Record<keyof typeof UNENFORCED_RULES, RegExp>> = {
  CONTENT_ROOT_TAKEN: /^409 CONTENT_ROOT_TAKEN/,
  CONTENT_OF_OTHER_SITE: /^400 CONTENT_ADDRESS_MISMATCH/,
  PROFILE_IN_USE: /^409 PROFILE_IN_USE/,
  PROFILE_MISSING: /^400 BODY_INVALID The profile ".*" does not exist/,
};

test('any sequence of calls results in the same configuration on our own service and on the hosted one', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      run += 1;
      await resetOrganization();
      const log: string[] = [];
      for (const one of steps) {
        // Safe: a round trip through JSON preserves the step.
        const step = JSON.parse(ofRun(JSON.stringify(one))) as Step;
        const own = await take(both.own, step);
        const dryRun = await take(both.hosted, { ...step, isTried: true });
        const hosted = await take(both.hosted, step);
        log.push(`${JSON.stringify(step)}: ${own.code} / ${hosted.code} / tried ${dryRun.code}`);
        expect(dryRun.code, log.join('\n')).toBe(hosted.code);
        if (hosted.code.startsWith('2') && Object.values(UNENFORCED).some((rule) => rule.test(`${own.code} ${own.detail}`))) return;
        expect(hosted.code, log.join('\n')).toBe(own.code);
      }
      const [own, hosted] = [await configuration(both.own), await configuration(both.hosted)];
      expect(hosted, log.join('\n')).toEqual(own);
    }),
    { numRuns: IS_LONG ? 500 : 10, examples: FOUND.map((steps) => [steps]) },
  );
}, 600_000);

/** The status and code of a step; for a dry run, those that it predicts. */
async function take(client: Client, { method, path, body, query = '', condition, isTried }: Step & { readonly isTried?: true }) {
  const headers: Record<string, string> =
    condition === 'other' ? { 'if-match': '"other"' } : condition === 'none' ? { 'if-none-match': '*' } : {};
  if (condition === 'current') headers['if-match'] = (await ask(client, 'GET', path)).headers.get('etag') ?? '*';
  const search = isTried === true ? `${query}${query === '' ? '?' : '&'}dryRun=true` : query;
  const { status, headers: got, text } = await ask(client, method, `${path}${search}`, body, headers);
  const answer = text.startsWith('{') ? (JSON.parse(text) as { readonly detail?: string; readonly status?: number }) : {};
  const would = isTried === true && status === 200 ? answer.status : status;
  return { code: `${would} ${got.get('x-error-code') ?? ''}`.trim(), detail: answer.detail };
}

async function ask(client: Client, method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const isText = typeof body === 'string';
  const type = path.includes('.yaml') ? 'text/yaml' : isText ? 'text/plain' : 'application/json';
  const answer = await client.request({
    method,
    path,
    headers: body === undefined ? headers : { ...headers, 'content-type': type },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.failure.kind}`);
  return answer.received;
}

/** Sequences whose results once differed. */
const FOUND: readonly Step[][] = [
  [
    { method: 'PUT', path: `/config/${EXAMPLE.org}/profiles/base-n0n.json`, body: { robots: {} } },
    { method: 'DELETE', path: `/config/${EXAMPLE.org}/profiles/base-n0n/robots.txt` },
  ],
];

/** Each sequence uses new names, because versions of earlier ones would count. */
let run = 0;
const SITES = ['a-n0n', 'b-n0n'] as const;
const PROFILES = ['base-n0n', 'default'] as const;
const ORG = `/config/${EXAMPLE.org}`;

/** Everything that the client reads, without what services set by themselves. */
async function configuration(client: Client) {
  const params = { org: EXAMPLE.org };
  const whole = async (path: string) => {
    const { status, text } = await ask(client, 'GET', ofRun(path));
    return status !== 200 ? status : path.endsWith('.json') ? plain(JSON.parse(text)) : text;
  };
  const paths = [
    ...SITES.flatMap((site) => [`${ORG}/sites/${site}.json`, `${ORG}/aggregated/${site}.json`, `${ORG}/sites/${site}/robots.txt`]),
    ...SITES.flatMap((site) => ['query', 'sitemap'].map((name) => `${ORG}/sites/${site}/content/${name}.yaml`)),
    ...PROFILES.map((profile) => `${ORG}/profiles/${profile}.json`),
    `${ORG}/groups.json`,
  ];
  const read = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await whole(path)] as const)));
  const sites = await client.call(endpoints.listSites, { params });
  const profiles = await client.call(endpoints.listProfiles, { params });
  const org = await client.call(endpoints.getOrg, { params });
  if (!sites.ok || !profiles.ok || !org.ok) throw new Error('The organization cannot be read.');
  return {
    ...read,
    sites: sites.value.sites.map(({ name }) => name).filter(isOfRun),
    profiles: profiles.value.profiles
      .map(({ name }) => name)
      .filter(isOfRun)
      .toSorted(),
    people: org.value.users.filter(({ email }) => /^p\d/i.test(email)).map(({ email, roles }) => [email, roles]),
    groups: org.value.groups ?? {},
    organization: [org.value.title, org.value.description],
  };
}

function ofRun(text: string): string {
  return text.replaceAll('n0n', String(run));
}

function isOfRun(name: string): boolean {
  return name.endsWith(`-${run}`) || name === 'default';
}

/** Set by the service, or (YAML) read at its own address. `requireAuth: auto` is the default. */
const SET = ['created', 'lastModified', 'contentBusId', 'version', 'query', 'sitemap'];

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const isShown = ([name, one]: [string, unknown]) => !SET.includes(name) && !(name === 'requireAuth' && one === 'auto');
  return Object.fromEntries(
    Object.entries(value)
      .filter(isShown)
      .map(([name, one]) => [name, plain(one)]),
  );
}

async function resetOrganization(): Promise<void> {
  for (const client of [both.own, both.hosted]) {
    const org = await client.call(endpoints.getOrg, { params: { org: EXAMPLE.org } });
    if (!org.ok) throw new Error('The organization cannot be read.');
    for (const { email, id } of org.value.users) if (/^p\d/i.test(email)) await ask(client, 'DELETE', `${ORG}/users/${id}.json`);
    await ask(client, 'POST', `${ORG}.json`, { title: 'Tarnfell' });
    // On one service, sites of earlier sequences may extend it.
    const { text } = await ask(client, 'DELETE', `${ORG}/profiles/default.json`);
    const { data } = (text === '' ? {} : JSON.parse(text)) as { data?: { sites?: string } };
    for (const site of data?.sites?.split(', ') ?? []) await ask(client, 'DELETE', `${ORG}/sites/${site}.json`);
    if (data?.sites !== undefined) await ask(client, 'DELETE', `${ORG}/profiles/default.json`);
  }
}

const content = (name: string) => ({
  source: {
    type: 'markup',
    url: `https://author-p100-e200.example.com/bin/franklin.delivery/${EXAMPLE.org}/${name}/main`,
    suffix: '.html',
  },
});

const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  folders: [{}, { '/products': '/default' }, { '/a': '/b', '/c': '/d' }],
  headers: [{}, { '/**': [{ key: 'x-a', value: 'b' }] }, { '/**': [], '/a': [{ key: 'x-b', value: '' }] }],
  metadata: [{}, { source: [] }, { source: ['/metadata.json'] }],
  robots: [{}, { txt: '' }, { txt: 'User-agent: *' }],
  public: [{}, { brand: null, deep: { list: [1, {}] } }, { paths: { mappings: ['/content/x-n0n/:/'], includes: [] } }],
  'access/site': [{}, { allow: ['*@example.com'] }, { allow: [] }],
  'access/preview': [{ allow: ['p1@example.com'] }],
  'access/admin': [
    { role: { admin: [EXAMPLE.admin] } },
    { role: { admin: [EXAMPLE.admin], publish: ['0a1b@techacct.example.com'] }, requireAuth: true },
    { role: { author: ['p1@example.com'] }, requireAuth: 'auto' },
  ],
  access: [{}, { admin: { role: { admin: [EXAMPLE.admin, 'p1@example.com'] } } }, { site: { allow: ['p1@example.com'] } }],
  cdn: [{}, { prod: { host: 'www.example.com' } }, { live: { host: 'live.example.com' }, preview: { host: 'p.example.com' } }],
  'cdn/prod': [{ host: 'shop.example.com' }, { type: 'managed', host: 'm.example.com' }],
  'cdn/live': [{ host: 'l.example.com' }],
  sidekick: [{}, { project: 'P', plugins: [{ id: 'x', title: 'X', isPalette: true }] }],
  features: [{}, { one: { on: true } }],
  limits: [{}, { admin: { trustedHosts: ['*.example.com'] } }],
  events: [{ github: { target: 'wknd/wknd' } }],
  groups: [{}, { editors: { members: [{ email: 'p1@example.com' }] } }],
  'groups/editors': [{ members: [] }, { members: [{ email: 'p1@example.com', name: 'P One' }] }],
  // It is unknown what `extends` without a profile means on the hosted service if there is a default profile.
  extends: [{ profile: 'base-n0n' }, { profile: 'default' }],
  content: [content('a-n0n'), { source: { type: 'markup', url: content('b-n0n').source.url }, title: 'B' }],
  code: [
    ...['wknd', 'other'].map((repo) => ({ owner: 'wknd', repo, source: { type: 'github', url: `https://github.com/wknd/${repo}` } })),
    { owner: 'wknd', repo: 'wknd' },
    { source: { type: 'github', url: 'https://github.com/wknd/third' } },
    { source: { type: 'github', owner: 'wknd', repo: 'fourth' } },
    { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/other' } },
    { owner: 'wknd' },
  ],
};
const OF_SITE_ONLY = ['extends'];
const TEXTS = ['title', 'description'];

const example = (part: string) => fc.constantFrom(...(EXAMPLES[part] ?? []));
const site = fc.constantFrom(...SITES);
const profile = fc.constantFrom(...PROFILES);
const condition = fc.option(fc.constantFrom('current' as const, 'other' as const, 'none' as const), { nil: undefined, freq: 4 });
const wholeParts = Object.keys(EXAMPLES).filter((part) => !part.includes('/') && part !== 'code' && part !== 'content');
const ofParts = (parts: readonly string[]) =>
  fc.record(
    {
      ...Object.fromEntries(parts.map((part) => [part, example(part)])),
      ...Object.fromEntries(TEXTS.map((name) => [name, fc.constantFrom('', 'One', 'Two')])),
    },
    { requiredKeys: [] },
  );

const required = (name: string) => ({ content: content(name), code: EXAMPLES['code']?.[0] });
const few = (parts: readonly string[]) => fc.subarray([...parts], { maxLength: 3 }).chain((some) => ofParts(some));

const siteStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(site, few(wholeParts), condition).map(([name, body, condition]): Step => ({
    method: 'PUT',
    path: `${ORG}/sites/${name}.json`,
    body: { ...required(name), ...body },
    ...(condition && { condition }),
  })),
  fc.tuple(site, few(wholeParts), condition).map(([name, body, condition]): Step => ({
    method: 'PUT',
    path: `${ORG}/sites/${name}.json`,
    body,
    ...(condition && { condition }),
  })),
  fc.tuple(site, few(wholeParts), condition).map(([name, body, condition]): Step => ({
    method: 'POST',
    path: `${ORG}/sites/${name}.json`,
    body: { ...required(name), ...body },
    ...(condition && { condition }),
  })),
  fc
    .tuple(site, condition)
    .map(([name, condition]): Step => ({ method: 'DELETE', path: `${ORG}/sites/${name}.json`, ...(condition && { condition }) })),
);
const profileStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(
      profile,
      fc.constantFrom('PUT' as const, 'POST' as const),
      few(wholeParts.filter((part) => !OF_SITE_ONLY.includes(part))),
      condition,
    )
    .map(([name, method, body, condition]): Step => ({
      method,
      path: `${ORG}/profiles/${name}.json`,
      body,
      ...(condition && { condition }),
    })),
  fc
    .tuple(profile, condition)
    .map(([name, condition]): Step => ({ method: 'DELETE', path: `${ORG}/profiles/${name}.json`, ...(condition && { condition }) })),
);
const partStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      site.map((name) => `sites/${name}`),
      profile.map((name) => `profiles/${name}`),
    ),
    fc.constantFrom(...Object.keys(EXAMPLES)),
    fc.boolean(),
    condition,
  )
  .filter(([of, part]) => of.startsWith('sites') || !OF_SITE_ONLY.includes(part))
  .chain(([of, part, isRemoved, condition]) =>
    example(part).map((body): Step => ({
      method: isRemoved ? 'DELETE' : 'POST',
      path: `${ORG}/${of}/${part}.json`,
      ...(isRemoved ? {} : { body }),
      ...(condition && { condition }),
    })),
  );
const textStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      fc
        .tuple(site, fc.constantFrom('content/query.yaml', 'content/sitemap.yaml', 'robots.txt'))
        .map(([name, text]) => `sites/${name}/${text}`),
      profile.map((name) => `profiles/${name}/robots.txt`),
    ),
    fc.constantFrom('set', 'remove'),
    fc.constantFrom('version: 1\n', 'version: 1 # two\n'),
    condition,
  )
  .map(([path, what, body, condition]): Step => ({
    method: what === 'remove' ? 'DELETE' : 'POST',
    path: `${ORG}/${path}`,
    ...(what === 'remove' ? {} : { body }),
    ...(condition && { condition }),
  }));
const orgStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom('PUT' as const, 'POST' as const),
    fc.constantFrom(
      {},
      { title: 'One' },
      { title: 'Two', groups: { editors: { members: [] } } },
      { description: 'D' },
      { users: [] },
      { users: [{ email: 'p1@example.com', roles: ['admin'] }] },
    ),
    condition,
  )
  .map(([method, body, condition]): Step => ({ method, path: `${ORG}.json`, body, ...(condition && { condition }) }));
const email = fc.constantFrom('p1@example.com', 'p2@example.com');
const peopleStep: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(email, fc.constantFrom('author', 'publish', 'admin'))
    .map(([one, role]): Step => ({ method: 'POST', path: `${ORG}/users.json`, body: { email: one, roles: [role] } })),
  fc
    .subarray(['p1@example.com', 'p2@example.com', 'P3@example.com'], { minLength: 1 })
    .map((some): Step => ({ method: 'POST', path: `${ORG}/users.json`, body: some.map((one) => ({ email: one, roles: ['author'] })) })),
  email.map((one): Step => ({ method: 'DELETE', path: `${ORG}/users/${one}.json` })),
  fc
    .tuple(email, fc.constantFrom('author', 'publish'))
    .map(([one, role]): Step => ({ method: 'POST', path: `${ORG}/users/${one}.json`, body: { email: one, roles: [role] } })),
  example('groups/editors').map((body): Step => ({ method: 'POST', path: `${ORG}/groups/editors.json`, body })),
  fc.constant<Step>({ method: 'DELETE', path: `${ORG}/groups/editors.json` }),
);
// The default profile has the versions of all sequences.
const restoreStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      site.map((name) => `sites/${name}`),
      fc.constant(`profiles/${PROFILES[0]}`),
    ),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([of, version]): Step => ({ method: 'POST', path: `${ORG}/${of}.json`, query: `?restoreVersion=${version}` }));

const initial: readonly Step[] = [
  { method: 'PUT', path: `${ORG}/sites/a-n0n.json`, body: required('a-n0n') },
  { method: 'PUT', path: `${ORG}/profiles/base-n0n.json`, body: { title: 'Base' } },
];
const sequence = fc
  .tuple(
    fc.subarray([...initial]),
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: siteStep },
        { weight: 2, arbitrary: profileStep },
        { weight: 5, arbitrary: partStep },
        { weight: 2, arbitrary: textStep },
        { weight: 1, arbitrary: peopleStep },
        { weight: 1, arbitrary: restoreStep },
        { weight: 1, arbitrary: orgStep },
      ),
      { minLength: 3, maxLength: 12 },
    ),
  )
  .map(([first, then]) => [...first, ...then]);

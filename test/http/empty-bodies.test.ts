import { beforeAll, expect, it } from 'vitest';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const JSON_TYPE = { 'content-type': 'application/json' };
const BODIES = [
  ['no body', undefined, {}],
  ['{}', {}, {}],
  ['[]', [], {}],
  ['null', 'null', JSON_TYPE],
  ['a text', '""', JSON_TYPE],
  ['no bytes of JSON', '', JSON_TYPE],
  ['unknown members', { unheard: 1 }, {}],
  ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }],
] as const;
/** What a success leaves instead of an entry in the audit trail. */
const OTHERWISE: Readonly<Record<string, string>> = {
  startOrgCheck: 'looks at sites',
  authorizeDevice: 'begins a sign-in',
  putOrg: 'replaces the organization by what it is already',
  postOrg: 'replaces the organization by what it is already',
  postProfile: 'replaces the profile by what it is after the call before',
};
const PARAMETERS: Readonly<Record<string, string>> = { org: 'wknd', site: 'first', profile: 'brand', ref: 'main', version: '1' };
const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
beforeAll(async () => {
  await backend.call('PUT', '/config/wknd/profiles/brand.json', { as, body: { title: 'Brand' } });
  await backend.call('PUT', '/config/wknd/sites/first.json', { as, body: siteBody('wknd', 'first') });
});

const rows = allEndpoints().filter(([, { method }]) => method === 'POST' || method === 'PUT');

it.each(BODIES)('with %s, no call is a success that does nothing', async (_, body, headers) => {
  const entries = async () => (await backend.call('GET', '/config/wknd/log.json?limit=1', { as })).text;
  const idle: string[] = [];
  for (const [id, row] of rows.filter(([one]) => !(one in OTHERWISE))) {
    const path = row.path.replaceAll(/\{(\w+)\*?\}/g, (_name, name: string) => PARAMETERS[name] ?? 'one');
    const before = await entries();
    const answer = await backend.call(row.method, path, { as, ...(body !== undefined && { body }), headers });
    if (answer.status < 300 && (await entries()) === before) idle.push(`${id} ${answer.status}`);
  }
  expect(idle).toEqual([]);
});

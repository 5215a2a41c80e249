import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoleName } from '@repoless/contract/access.ts';
import { aliasesOf } from '@repoless/contract/public-api.ts';
import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints, endpoints } from '@repoless/contract/endpoints.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { codeHostWith } from '../support/code-sources.ts';
import { ask, type TestAnswer } from '../support/ask.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { isTested, isKeyOf, MATRIX_CALLERS, SCOPES, rolesAt, type MatrixCaller, type Scope } from './permission-callers.ts';
import { filledPath } from './path-parameters.ts';
import { allRules, QUERY_RULES, type Rule } from './permission-rules.ts';

const rules = allRules();
const SECOND_OPERATOR = 'second.operator@example.com';
/** Nothing listens there, so syncs end at once. */
const CODE_HOST = 'http://127.0.0.1:9';

const SAMPLE: readonly string[] = [
  'anonymous',
  'stranger',
  'config of the site',
  'admin of the site',
  'site key, author',
  'organization key, admin',
];

/** If this body is refused, its sender was authorized, and nothing was changed. */
const REFUSED_BODY = { roles: ['nobody'] };
/** These check the caller again after the body. */
const VALID_BODIES: Readonly<Record<string, (org: string, site: string) => unknown>> = {
  putSite: (org, site) => siteOf(org, site, granted(site === 'matrix' ? 'matrix' : 'another')),
  postSite: (org, site) => siteOf(org, site, granted(site === 'matrix' ? 'matrix' : 'another')),
  putOrg: () => ({}),
  postOrg: () => ({}),
  challengeOrg: () => ({ repository: 'wknd' }),
};
/** Many: each 404 for a stranger waits for the next time step. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const tokens = new Map<string, string>();

const backend = startBeforeAll(() => {
  const settings = { CODE_HOST, CODE_HOST_RAW: CODE_HOST, CODE_RETRY_DELAY: '1', OPERATORS: `${OPERATOR},${SECOND_OPERATOR}` };
  return startTestBackend({ orgs: ['wknd', 'acme'], settings, repositories: codeHostWith() });
});
beforeAll(async () => {
  await done('/config/wknd.json', { users: [administrator(), ...usersOf('wknd')] });
  await done('/config/acme.json', { users: [administrator(), ...usersOf('acme')] });
  await done('/config/wknd/sites/matrix.json', siteOf('wknd', 'matrix', granted('matrix')));
  await done('/config/wknd/sites/another-site.json', siteOf('wknd', 'another-site', granted('another')));
  await done('/config/wknd/sites/open.json', siteOf('wknd', 'open', { admin: [OPERATOR] }, false));
  await done('/config/acme/sites/elsewhere.json', siteOf('acme', 'elsewhere', { admin: [OPERATOR] }));
  for (const [name, caller] of Object.entries(MATRIX_CALLERS)) {
    const token = await credential(name, caller);
    if (token !== undefined) tokens.set(name, token);
  }
});
afterAll(async () => {
  agent.destroy();
});

describe.each(allEndpoints())('%s', (id, row) => {
  it('admits exactly the callers in the table of permissions', async () => {
    const rule = rules.get(id);
    if (rule === undefined) throw new Error(`The table of permissions has no line for ${id}: say who may call it.`);
    expect(await deviations(id, row, rule)).toEqual([]);
  });
});

describe.each(QUERY_RULES)('%s?%s', (id, query, rule) => {
  it('admits exactly the callers in its own line', async () => {
    expect(await deviations(id, endpoints[id], rule, query)).toEqual([]);
  });
});

it('the table of permissions has no line for a missing call', () => {
  const known = new Set(allEndpoints().map(([id]) => id));
  expect([...rules.keys()].filter((id) => !known.has(id))).toEqual([]);
});

/** Callers that were authorized or refused contrary to the rule. */
async function deviations(id: string, row: Endpoint, rule: Rule, query?: string): Promise<string[]> {
  const wrong: string[] = [];
  const cells = cellsOf(row);
  expect(new Set(cells.map(({ name }) => name)).size).toBeGreaterThan(3);
  await Promise.all(
    cells.map(async (cell) => {
      const wanted = expected(rule, cell, row);
      const answer = await call(id, row, cell, query);
      const got = outcome(answer, rule);
      if (got === wanted && answer.code !== 'INTERNAL') return;
      const attempt = `${cell.method} ${cell.path} as ${cell.name} on ${cell.scope}`;
      wrong.push(`${attempt}: ${got}, not ${wanted} (${answer.status} ${answer.error ?? ''})`);
    }),
  );
  return wrong;
}

interface Cell {
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly name: string;
  readonly caller: MatrixCaller;
}

/** Callers at every scope. Aliases and HEAD lead to the same row, so only some of the callers use them. */
function cellsOf(row: Endpoint): Cell[] {
  const aliases = aliasesOf(row.path);
  return scopesOf(row).flatMap((scope) =>
    Object.entries(MATRIX_CALLERS).flatMap(([name, caller]): Cell[] => {
      if (!isTested(name, caller, scope)) return [];
      const cell = { method: row.method, path: row.path, scope, name, caller };
      const isSample = scope === 'matrix' && SAMPLE.includes(name);
      return [
        cell,
        ...(isSample && row.method === 'GET' ? [{ ...cell, method: 'HEAD' }] : []),
        ...(isSample ? aliases.map(({ path }) => ({ ...cell, path })) : []),
      ];
    }),
  );
}

/** The outcome for a caller by the rule. */
function expected(rule: Rule, { name, caller, scope }: Cell, row: Endpoint): string {
  const refused = caller.kind === 'unauthenticated' ? '401' : '403';
  switch (rule.who) {
    case 'everyone':
      return 'in';
    case 'no-caller':
      return '401';
    case 'signed-in':
      return caller.kind === 'unauthenticated' ? '401' : 'in';
    case 'people':
      return caller.kind === 'person' ? 'in' : refused;
    case 'operators':
      if (rule.signsIn === true && caller.kind === 'unauthenticated') return 'in';
      return name === 'operator without a role' ? 'in' : refused;
    case 'page':
      return caller.kind === 'person' ? '403' : '401';
    case 'roles': {
      if (rule.open === true && scope === 'open') return 'in';
      const roles = rolesAt(caller, scope, isAboutSite(row));
      if (rule.roles.some((role) => roles.includes(role))) return 'in';
      if (caller.kind === 'unauthenticated') return '401';
      if (roles.length > 0 || isKeyOf(caller, scope)) return '403';
      if (rule.claim !== true) return '404';
      return caller.kind === 'person' ? 'claim' : '403';
    }
  }
}

function outcome({ status, code }: TestAnswer, rule: Rule): string {
  if (code === 'NOT_AUTHENTICATED' || (status === 401 && code === undefined)) return '401';
  if (code === 'ORG_NOT_FOUND') return '404';
  // An operator needs no proof, and learns that the organization is already claimed.
  if (code === 'CLAIM_NOT_PROVEN' || (code === 'ORG_ALREADY_CLAIMED' && rule.who === 'roles')) return 'claim';
  return code === 'NOT_AUTHORIZED' ? '403' : 'in';
}

/** For calls on sites all scopes; for others the two organizations, or a single address. */
function scopesOf(row: Endpoint): readonly Scope[] {
  if (isAboutSite(row)) return SCOPES;
  return row.path.includes('{org}') ? ['matrix', 'elsewhere'] : ['matrix'];
}

function isAboutSite(row: Endpoint): boolean {
  return row.path.includes('{site}');
}

/** Dry runs change nothing, so callers don't affect each other. */
async function call(id: string, row: Endpoint, { method, path: form, scope, name }: Cell, query?: string): Promise<TestAnswer> {
  const [org, site] = scope === 'elsewhere' ? ['acme', 'elsewhere'] : ['wknd', scope];
  const path = filledPath(form, { org, site });
  const queries = ['dryRun' in row.query.shape ? 'dryRun=true' : [], query ?? []].flat();
  const address = queries.length === 0 ? path : `${path}?${queries.join('&')}`;
  const { body, headers } = bodyOf(id, row, org, site);
  // Signing out is final, so it uses a separate token.
  const token = id === 'logout' && MATRIX_CALLERS[name]?.kind === 'person' ? await backend.token(emailOf(name)) : tokens.get(name);
  return await send(method, address, body, { ...headers, ...(token !== undefined && { 'x-auth-token': token }) });
}

function bodyOf(id: string, row: Endpoint, org: string, site: string): { body?: string; headers?: Record<string, string> } {
  const [media] = row.body?.media ?? [];
  if (media === undefined) return {};
  if (media !== 'application/json') return { body: 'user_code=ABCD-EFGH&decision=allow&nonce=n', headers: { 'content-type': media } };
  const value = VALID_BODIES[id]?.(org, site) ?? REFUSED_BODY;
  return { body: JSON.stringify(value), headers: { 'content-type': media } };
}

function send(method: string, path: string, body: string | undefined, headers: Record<string, string>): Promise<TestAnswer> {
  return ask(backend.address, path, { agent, method, headers, ...(body !== undefined && { body }) });
}

async function credential(name: string, caller: MatrixCaller): Promise<string | undefined> {
  if (name === 'anonymous') return undefined;
  if (name === 'expired key') return await keyOf('/config/wknd/sites/matrix/apiKeys.json', ['admin'], { expired: true });
  if (name === 'revoked key') return await keyOf('/config/wknd/apiKeys.json', ['admin'], { revoked: true });
  if (caller.kind === 'person') return await backend.token(emailOf(name));
  if (caller.matrix !== undefined) return await keyOf('/config/wknd/sites/matrix/apiKeys.json', caller.matrix);
  if (caller.another !== undefined) return await keyOf('/config/wknd/sites/another-site/apiKeys.json', caller.another);
  if (caller.wknd !== undefined) return await keyOf('/config/wknd/apiKeys.json', caller.wknd);
  return await keyOf('/config/acme/apiKeys.json', caller.acme ?? []);
}

async function keyOf(path: string, roles: readonly RoleName[], end: { expired?: true; revoked?: true } = {}): Promise<string> {
  const { id, value } = CreatedApiKey.parse((await callsAs(backend, OPERATOR).done('POST', path, { roles })).json());
  if (end.revoked === true) await backend.call('DELETE', path.replace('.json', `/${id}.json`), { as: OPERATOR });
  if (end.expired === true) await expire(id);
  return value;
}

/** Ends the row before its token, so that the test need not wait. */
async function expire(id: string): Promise<void> {
  await backend.store.write(async (writes) => {
    const key = await writes.apiKey(id);
    if (key !== undefined) await writes.putApiKey({ ...key, expires: new Date(Date.now() - 1000) });
  });
}

function emailOf(name: string): string {
  return name === 'operator without a role' ? SECOND_OPERATOR : `${name.replaceAll(' ', '.')}@example.com`;
}

function people(): [string, MatrixCaller][] {
  return Object.entries(MATRIX_CALLERS).filter(([, caller]) => caller.kind === 'person');
}

function usersOf(org: 'wknd' | 'acme'): { email: string; roles: readonly RoleName[] }[] {
  return people().flatMap(([name, caller]) => (caller[org] === undefined ? [] : [{ email: emailOf(name), roles: caller[org] }]));
}

function granted(scope: 'matrix' | 'another'): Record<string, string[]> {
  const pairs = people().flatMap(([name, caller]) => (caller[scope] ?? []).map((role) => [role, emailOf(name)] as const));
  return pairs.reduce<Record<string, string[]>>((all, [role, email]) => ({ ...all, [role]: [...(all[role] ?? []), email] }), {});
}

function administrator() {
  return { email: OPERATOR, roles: ['admin'] };
}

function siteOf(org: string, site: string, role: Readonly<Record<string, string[]>>, requireAuth: 'auto' | false = 'auto') {
  return siteBody(org, site, { code: { owner: org, repo: org }, access: { admin: { role, requireAuth } } });
}

const done = (path: string, body: unknown) => callsAs(backend, OPERATOR).done('PUT', path, body);

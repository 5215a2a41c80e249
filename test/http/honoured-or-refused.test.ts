import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWrite, type Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { BODY_EXAMPLES } from '@repoless/service/http/openapi-examples.ts';
import type { TestAnswer } from '../support/ask.ts';
import { callsAs, OPERATOR, publicPart, siteBody, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { filledPath } from './path-parameters.ts';

const PLACE = { site: 'wknd-de', profile: 'base', name: 'own-name', path: 'main', 'path*': '*' };
const JOB = 'job-2026-01-01-00-00-00-00000000';
const BUILD_MANAGEMENT_KEY = 'a-key-of-build-management-for-tests';
const JSON_TYPE = { 'content-type': 'application/json' };
const REFUSALS = /^(?:BODY_\w+|CONTENT_TYPE_UNSUPPORTED|INVALID_SIGNATURE|AUTHOR_NOT_ALLOWED)$/;
/** Values of other types, which replace the correct one. */
const MISTAKES: readonly unknown[] = [null, true, 5, 'text', ['text'], { unheardOf: 'text' }];
const INNER_MISTAKES: readonly unknown[] = [null, 5, { unheardOf: 'text' }];
let before: unknown;

const backend = startBeforeAll(() => startTestBackend({ dryRun: false, settings: { BUILD_MANAGEMENT_KEY } }));
beforeAll(async () => {
  const access = { admin: { role: { admin: [OPERATOR] } } };
  const { done } = callsAs(backend, OPERATOR);
  await done('PUT', '/config/wknd/sites/wknd-de.json', siteBody('wknd', 'wknd-de', { access, public: publicPart('wknd-de') }));
  await done('PUT', '/config/wknd/profiles/base.json', { robots: { txt: 'User-agent: *\n' } });
  await done('POST', '/config/wknd/sites/wknd-de/secrets/own-name.json', { value: 'a-value' });
  await done('POST', '/config/wknd/sites/wknd-de/apiKeys.json', { roles: ['author'] });
  before = await stored();
});
afterAll(async () => {
  expect(await stored()).toEqual(before);
});

const rows = allEndpoints();
/** Assistants' messages follow their protocol, which reports mistakes in a 200 and ignores unknown members. */
const withJson = rows.filter(
  ([, { body, outside }]) =>
    body?.media.includes('application/json') === true && (body.raw !== true || outside === 'build management') && outside !== 'assistants',
);
const withoutBody = rows.filter(([, { body }]) => body === undefined);
const changing = rows.filter(([, { method }]) => method !== 'GET');

describe.each(withJson)('the body of %s', (id, row) => {
  it('is stored with an unknown member at any depth, or is refused', async () => {
    expect(await ignored(id, row, withMember(BODY_EXAMPLES[id]))).toEqual([]);
  });

  it('is stored with a value of another type, or is refused', async () => {
    expect(await ignored(id, row, withMistakes(BODY_EXAMPLES[id]))).toEqual([]);
  });

  it('is refused if it is not JSON', async () => {
    const answers = await Promise.all(
      ['{', '{"a":1}}', 'text', '{"a":', '\u0000'].map((body) => call(id, row, { body, headers: JSON_TYPE })),
    );
    expect(answers.filter((answer) => !isRefused(answer)).map(summaryOf)).toEqual([]);
  });
});

it('a body is refused if the call takes none, with or without a content-length', async () => {
  const wrong: string[] = [];
  await Promise.all(
    withoutBody.map(async ([id, row]) => {
      for (const request of [
        { body: { unheardOf: 1 } },
        { body: 'text', headers: { 'content-type': 'text/plain' } },
        { body: '{', chunked: true, headers: { 'transfer-encoding': 'chunked' } },
      ]) {
        const answer = await call(id, row, request);
        if (answer.code !== 'BODY_INVALID') wrong.push(`${id}: ${summaryOf(answer)}`);
      }
    }),
  );
  expect(wrong).toEqual([]);
});

it('a body is refused if the call does not accept its content type', async () => {
  const wrong: string[] = [];
  // A webhook's signature covers its bytes, and is checked first.
  for (const [id, row] of rows.filter(([, { body, errors }]) => body !== undefined && !errors.includes('INVALID_SIGNATURE'))) {
    const answer = await call(id, row, { body: '<a/>', headers: { 'content-type': 'application/xml' } });
    if (answer.status !== 415) wrong.push(`${id}: ${summaryOf(answer)}`);
  }
  expect(wrong).toEqual([]);
});

describe('a query parameter of the contract', () => {
  it.each(['maybe', '', '2', '1', 'yes', 'TRUE'])('is refused on every write if it is dryRun=%s', async (value) => {
    const wrong: string[] = [];
    for (const [id, row] of changing.filter(([, one]) => one.outside !== 'proxy')) {
      const answer = await call(id, row, { body: BODY_EXAMPLES[id], query: `dryRun=${value}` });
      if (!isAboutQuery(answer)) wrong.push(`${id}: ${summaryOf(answer)}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(['dryRun=true', 'migrate=true', 'replace=false', 'restoreVersion=1', 'versionName=one'])(
    'is refused if the call does not take it: %s',
    async (query) => {
      const [name = ''] = query.split('=');
      const wrong: string[] = [];
      for (const [id, row] of changing.filter(([, one]) => one.outside !== 'proxy' && !(name in one.query.shape))) {
        const answer = await call(id, row, { body: BODY_EXAMPLES[id], query });
        if (!isAboutQuery(answer)) wrong.push(`${id}: ${summaryOf(answer)}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it('is honoured, while unknown ones are ignored, as in the public API', async () => {
    const answer = await backend.call('DELETE', '/config/wknd/sites/wknd-de/secrets/own-name.json?dryRun=true&utm=1', { as: OPERATOR });
    expect(answer.status).toBe(200);
  });
});

it.each(['0x10', '0b11', '1e2', '%2B5', '%205', '5.0', '', '-1', '9'.repeat(30)])(
  'a number is refused if it is written "%s"',
  async (number) => {
    const numbers = ({ shape }: z.ZodObject) =>
      Object.entries<z.ZodType>(shape).flatMap(([name, schema]) => (schema.safeParse('7').data === 7 ? [name] : []));
    const wrong: string[] = [];
    let requests = 0;
    for (const [id, row] of rows) {
      for (const name of numbers(row.query)) {
        requests += 1;
        const answer = await call(id, row, { query: `${name}=${number}`, body: BODY_EXAMPLES[id] });
        if (answer.code !== 'QUERY_INVALID' || !answer.text.includes(`/${name}`)) wrong.push(`${id}: ${summaryOf(answer)}`);
      }
      for (const name of number === '' ? [] : numbers(row.params)) {
        requests += 1;
        const answer = await call(id, { ...row, path: row.path.replace(`{${name}}`, number) as Endpoint['path'] }, {});
        if (answer.code !== 'NAME_INVALID') wrong.push(`${id}: ${summaryOf(answer)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(requests).toBeGreaterThan(15);
  },
);

it('every call refuses an if-match that does not match', async () => {
  const taken = await Promise.all(
    rows.map(async ([id, row]) => {
      const answer = await call(id, row, { body: BODY_EXAMPLES[id], headers: { 'if-match': '"another"' } });
      // A redirect to a page is not an answer of the read.
      return answer.status < 300 || answer.status >= 500 ? [`${id}: ${summaryOf(answer)}`] : [];
    }),
  );
  expect(taken.flat()).toEqual([]);
});

/**
 * Bodies that the calls of a row accept although something else would be stored. Sent as dry runs, which are parsed like the call
 * itself; if the dry run is refused, the call is sent too.
 */
async function ignored(id: string, row: Endpoint, bodies: readonly unknown[]): Promise<string[]> {
  const query = isWrite(row) ? { query: 'dryRun=true' } : {};
  const answers = await Promise.all(bodies.map(async (body) => ({ body, answer: await call(id, row, { body, ...query }) })));
  const taken = answers.filter(({ body, answer }) => !isRefused(answer) && !holds(Object(answer.json()).result, body));
  const refused = answers.find(({ answer }) => isRefused(answer));
  const meant = refused === undefined ? undefined : await call(id, row, { body: refused.body });
  return [
    ...taken.map(({ body, answer }) => `${JSON.stringify(body)}: ${summaryOf(answer)}`),
    ...(meant === undefined || isRefused(meant) ? [] : [`refused by its dry run alone: ${summaryOf(meant)}`]),
  ];
}

async function call(
  id: string,
  row: Endpoint,
  request: { body?: unknown; query?: string; headers?: Readonly<Record<string, string>>; chunked?: boolean },
): Promise<TestAnswer> {
  const parameters = row.path.startsWith('/job/') ? { ...PLACE, name: JOB } : PLACE;
  const path = filledPath(row.path, parameters);
  const { query, body, headers, ...rest } = request;
  const key = row.outside === 'build management' ? { authorization: `Bearer ${BUILD_MANAGEMENT_KEY}` } : {};
  const isForm =
    row.body !== undefined && (typeof body === 'string' || !row.body.media.includes('application/json')) && body === BODY_EXAMPLES[id];
  const sent = isForm ? { body: asForm(body), headers: { 'content-type': row.body?.media[0] ?? '', ...headers } } : { headers, body };
  return await backend.call(row.method, query === undefined ? path : `${path}?${query}`, {
    as: OPERATOR,
    ...rest,
    ...sent,
    headers: { ...key, ...sent.headers },
  });
}

function asForm(body: unknown): string {
  return typeof body === 'string' ? body : new URLSearchParams(Object(body)).toString();
}

function isRefused({ status, headers }: TestAnswer): boolean {
  return status >= 400 && status < 500 && REFUSALS.test(headers['x-error-code'] ?? '');
}

/** Signed calls check the signature first. */
function isAboutQuery({ headers }: TestAnswer): boolean {
  return ['QUERY_INVALID', 'INVALID_SIGNATURE'].includes(headers['x-error-code'] ?? '');
}

function summaryOf({ status, text }: TestAnswer): string {
  return `${status} ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
}

/** Whether everything in a body would be stored. */
function holds(stored: unknown, body: unknown): boolean {
  if (!isObject(body)) return stored === body;
  return isObject(stored) && Object.entries(body).every(([key, value]) => holds(stored[key], value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Copies of the body, each with an extra member in one of its objects. */
function withMember(body: unknown): unknown[] {
  if (!isObject(body)) return [];
  const below = Object.entries(body).flatMap(([key, value]) => withMember(value).map((other) => replaced(body, key, other)));
  return Array.isArray(body) ? below : [{ ...body, unheardOf: 1 }, ...below];
}

/** Copies of the body in which it, or one value at any depth, has another type. */
function withMistakes(body: unknown, mistakes = MISTAKES): unknown[] {
  const here = mistakes.filter((mistake) => kindOf(mistake) !== kindOf(body));
  if (!isObject(body)) return here;
  const below = Object.entries(body).flatMap(([key, value]) =>
    withMistakes(value, INNER_MISTAKES).map((other) => replaced(body, key, other)),
  );
  return [...here, ...below];
}

function replaced(body: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  return Array.isArray(body) ? body.map((item: unknown, index) => (String(index) === key ? value : item)) : { ...body, [key]: value };
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/** Everything that the calls could have changed. */
async function stored(): Promise<unknown> {
  const addresses = [
    '.json',
    '/versions.json',
    '/users.json',
    '/groups.json',
    '/apiKeys.json',
    '/sites.json',
    '/profiles.json',
    '/log.json',
  ];
  const ofSite = ['.json', '/versions.json', '/secrets.json', '/apiKeys.json'].map((rest) => `/sites/wknd-de${rest}`);
  const ofProfile = ['.json', '/versions.json'].map((rest) => `/profiles/base${rest}`);
  const answers = [...addresses, ...ofSite, ...ofProfile].map((rest) => backend.call('GET', `/config/wknd${rest}`, { as: OPERATOR }));
  return (await Promise.all([...answers, backend.call('GET', '/job/wknd/wknd-de/main/code', { as: OPERATOR })])).map(({ text }) => text);
}

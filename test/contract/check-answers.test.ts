import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { completeDocuments } from '@repoless/service/http/openapi.ts';
import { createJudge } from '../support/check-answers-judge.ts';
import type { Exchange } from '../support/check-answers-record.ts';

const judge = createJudge(JSON.parse(JSON.stringify(completeDocuments().service)));

const every = { 'x-request-id': 'one', 'cache-control': 'no-store' };
const json = { ...every, 'content-type': 'application/json' };
const refused = { ...every, 'content-type': 'application/problem+json', 'x-error': 'No.', 'x-error-code': 'SITE_NOT_FOUND' };
const robots = '/config/wknd/sites/main/robots.txt';
const site = '/config/wknd/sites/main.json';
const problem = { type: 'urn:x', title: 'No such site', status: 404, detail: 'No.', code: 'SITE_NOT_FOUND' };
const secret = { id: 'cm-byog', type: 'key', created: '2026-01-01T00:00:00.000Z', lastModified: '2026-01-01T00:00:00.000Z' };

it.each<[string, Exchange]>([
  ['a success', answered('/health', 200, json, { status: 'ready' })],
  ['a refusal', answered(site, 404, refused, problem)],
  ['an unchanged read', answered(site, 304, { ...every, etag: '"1"' })],
  ['an HTML page', answered('/device', 200, { ...every, 'content-type': 'text/html; charset=utf-8' })],
  [
    'an unknown address',
    answered('/nowhere', 404, { ...refused, 'x-error-code': 'ROUTE_NOT_FOUND' }, { ...problem, code: 'ROUTE_NOT_FOUND' }),
  ],
  ['a relayed answer', answered('/authoring/author/a/b.html', 418, { ...every, 'x-relayed': 'true', 'content-type': 'text/html' })],
  ['a secret', answered('/config/wknd/sites/main/secrets/cm-byog.json', 200, { ...json, etag: '"1"' }, secret)],
])('%s matches the document', (_, exchange) => {
  expect(judge(exchange).deviations).toEqual([]);
});

it.each<[string, Exchange, RegExp]>([
  ['an undocumented status', answered('/health', 202, json, { status: 'ready' }), /status 202/],
  [
    'an undocumented field',
    answered('/config/wknd/sites/main/secrets/cm-byog.json', 200, { ...json, etag: '"1"' }, { ...secret, value: 'x' }),
    /"value"/,
  ],
  ['a missing field', answered('/health', 200, json, {}), /'status'/],
  ['an invalid value', answered('/health', 200, json, { status: 'fine' }), /allowed values/],
  ['another content type', answered('/health', 200, { ...json, 'content-type': 'text/plain' }), /type text\/plain/],
  ['no request id', answered('/health', 200, { ...json, 'x-request-id': undefined }, { status: 'ready' }), /x-request-id/],
  ['a read without an etag', answered(robots, 200, { ...every, 'content-type': 'text/plain' }), /etag/],
  ['a refusal without a code', answered(site, 404, { ...refused, 'x-error-code': undefined }, problem), /x-error-code/],
  ['an error code of other calls', answered(site, 404, refused, { ...problem, code: 'JOB_NOT_FOUND' }), /code/],
  ['a refusal without a problem document', answered(site, 404, { ...refused, 'content-type': 'text/html' }), /text\/html/],
  ['a success at an unknown address', answered('/nowhere', 200, json, {}), /no call/],
  [
    'a message that was never reviewed',
    answered(site, 404, refused, { ...problem, detail: 'Branch "*" is "" in addresses.' }),
    /never read/,
  ],
  ['a truncated body', answered('/health', 200, json, undefined), /no JSON/],
])('%s is reported', (_, exchange, sentence) => {
  expect(judge(exchange).deviations.join('\n')).toMatch(sentence);
});

it('checks the answers in every test that starts one of the programs', async () => {
  const folder = new URL('..', import.meta.url).pathname;
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts') && !name.startsWith('bench/'));
  const texts = await Promise.all(names.map(async (name): Promise<[string, string]> => [name, await readFile(join(folder, name), 'utf8')]));
  const starts = texts.filter(([, text]) => /^import .*\b(?:startBackend|startBuildManagement)\b.*@repoless\/service/m.test(text));
  expect(starts.filter(([, text]) => !text.includes('checkAnswers(')).map(([name]) => name)).toEqual([]);
  const spawns = texts.filter(([, text]) => /spawn\([^;]*backend\/dist/.test(text));
  expect(spawns.filter(([, text]) => !text.includes('NODE_OPTIONS')).map(([name]) => name)).toEqual([]);
  expect(starts.length + spawns.length).toBeGreaterThanOrEqual(3);
});

function answered(url: string, status: number, headers: Readonly<Record<string, string | undefined>>, body?: unknown): Exchange {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const isJson = headers['content-type']?.includes('json') === true;
  return {
    method: 'GET',
    url,
    host: 'localhost',
    port: 80,
    status,
    head: [`HTTP/1.1 ${status} Answer`, ...lines, '', ''].join('\r\n'),
    ...(isJson && { body: body === undefined ? '' : JSON.stringify(body) }),
    whole: true,
  };
}

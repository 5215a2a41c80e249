import { LIMITS } from '@repoless/contract/limits.ts';
import { createPageBudget, startVisit } from '@repoless/service/delivery/page-budget.ts';
import { once } from 'node:events';
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startLoopClock } from '../support/loop-delay.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const ORGS = ['wknd', 'other'];
const CONTENT_TIME = 2000;
const HTML = { 'content-type': 'text/html' };
/** Answers that are held back. */
const held: ServerResponse[] = [];

const author = startBeforeAll(() =>
  startReceiver((request, response) => {
    const [, bytes] = /\/bytes-(\d+)/.exec(request.url ?? '') ?? [];
    if (request.url?.includes('/held') === true) return void held.push(response);
    if (request.url?.includes('/drip') === true) return drip(response);
    response.writeHead(200, { 'content-type': 'text/html' }).end(bytes === undefined ? '<main>Fine</main>' : 'x'.repeat(Number(bytes)));
  }),
);
const backend = startBeforeAll(() =>
  startTestBackend({ dryRun: false, orgs: ORGS, settings: { CONTENT_TIME: String(CONTENT_TIME / 1000) } }),
);
beforeAll(async () => {
  for (const org of ORGS) await register(org, 'site');
});

async function register(org: string, site: string, more = {}): Promise<void> {
  const content = { source: { url: `http://author.localhost:${author.port}/${org}-${site}`, type: 'markup', suffix: '.html' } };
  await callsAs(backend, OPERATOR).done('PUT', `/config/${org}/sites/${site}.json`, siteBody(org, site, { content, ...more }));
}
/** Sends a byte now and then, without end. */
function drip(response: ServerResponse): void {
  response.writeHead(200, HTML);
  const dripping = setInterval(() => response.write('x'), 20);
  response.once('close', () => clearInterval(dripping));
}
const visit = (path: string, org = 'wknd', site = 'site') => backend.visit('live', `main--${site}--${org}`, path);

/** Reads the headers with a client that accepts this many. */
async function headersOf(site: string): Promise<IncomingHttpHeaders> {
  const host = `main--${site}--wknd.live.localhost:${backend.port}`;
  const outgoing = get({ port: backend.port, path: '/page/one', headers: { host }, maxHeaderSize: 4 * LIMITS.headersSent });
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  expect(answer.statusCode).toBe(200);
  return answer.headers;
}

it('a page of LIMITS.pageSize is served, and a larger one is an error of its content source', async () => {
  const most = await visit(`/bytes-${LIMITS.pageSize}`);
  expect([most.status, most.text.length]).toEqual([200, LIMITS.pageSize]);
  const over = await visit(`/bytes-${LIMITS.pageSize + 1}`);
  expect(over).toMatchObject({ status: 502, code: 'CONTENT_UNREACHABLE', error: expect.stringContaining('large') });
});

it('a content source that does not respond within CONTENT_TIME is reported', async () => {
  const late = await visit('/held');
  expect(late).toMatchObject({ status: 502, code: 'CONTENT_UNREACHABLE', error: expect.stringContaining('did not respond within') });
});

it('headers of LIMITS.headersSent are sent completely; above it, the answer has the number of omitted ones', async () => {
  // Two patterns that match the same page, each of the maximum length.
  const half = LIMITS.headersSent / 2;
  const filled = (name: string, characters: number) =>
    [1, 2].map((one) => ({ key: `x-${name}${one}`, value: 'x'.repeat(characters / 2 - 4) }));
  await register('wknd', 'headers', { headers: { '/**': filled('a', half), '/page/**': filled('b', half) } });
  const most = await headersOf('headers');
  const sent = Object.entries(most).filter(([name]) => /^x-[ab][12]$/.test(name));
  expect(sent.reduce((sum, [name, value]) => sum + name.length + (value?.length ?? 0), 0)).toBe(LIMITS.headersSent);
  expect(most['x-headers-left-out']).toBeUndefined();

  await register('wknd', 'longer', {
    headers: { '/**': filled('a', half), '/page/**': filled('b', half), '/page/*': [{ key: 'x', value: 'y' }] },
  });
  const over = await headersOf('longer');
  expect(
    Object.keys(over)
      .filter((name) => /^x(-[ab][12])?$/.test(name))
      .toSorted(),
  ).toEqual(['x', 'x-a1', 'x-b1', 'x-b2']);
  expect(over['x-headers-left-out']).toBe('1');
});

it('LIMITS.pagesOfOrg pages of an organization are read concurrently, LIMITS.pagesOfSite of a site, LIMITS.pagesOfOrgWaiting are queued, and further ones are refused', async () => {
  held.splice(0);
  await register('wknd', 'second');
  const { pagesOfSite, pagesOfOrg, pagesOfOrgWaiting } = LIMITS;
  const many = (site: string, count: number) => Array.from({ length: count }, (_, index) => visit(`/held/${index}`, 'wknd', site));
  const all = many('site', pagesOfSite + pagesOfOrgWaiting);
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(pagesOfSite);
  expect(await visit('/held/more')).toMatchObject({ status: 503, code: 'OVERLOADED', headers: { 'retry-after': '1' } });
  // Another site of the organization gets the remaining slots.
  all.push(...many('second', pagesOfOrg - pagesOfSite));
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(pagesOfOrg);
  expect([(await visit('/', 'wknd', 'second')).status, (await visit('/', 'other')).status]).toEqual([503, 200]);
  const answering = setInterval(() => held.splice(0).forEach((response) => response.writeHead(200, HTML).end('<main>Late</main>')), 5);
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  clearInterval(answering);
  // On a busy machine, queued ones may wait too long; some are served in any case.
  expect(statuses.filter((status) => ![200, 502, 503].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(pagesOfOrg);
});

it('every visitor of a content source that hangs or drips is answered within twice CONTENT_TIME', async () => {
  await register('wknd', 'silent');
  const pendingBefore = held.length;
  const clock = startLoopClock();
  const visits = Array.from({ length: 300 }, async (_, index) => {
    const { status, headers } = await visit(`/${index % 2 === 0 ? 'held' : 'drip'}/${index}`, 'wknd', 'silent');
    return { status, code: headers['x-error-code'], again: headers['retry-after'], at: clock.now() };
  });
  const answers = await Promise.all(visits);
  clock.stop();
  const read = answers.filter(({ status }) => status === 502);
  const refused = answers.filter(({ status }) => status === 503);
  expect([read.length + refused.length, held.length - pendingBefore > 0]).toEqual([300, true]);
  expect([read.length >= LIMITS.pagesOfSite, refused.length > LIMITS.pagesOfOrgWaiting]).toEqual([true, true]);
  expect(new Set(read.map(({ code }) => code))).toEqual(new Set(['CONTENT_UNREACHABLE']));
  expect(new Set(refused.map(({ code, again }) => `${code} ${again}`))).toEqual(new Set(['OVERLOADED 1']));
  // Measured in turns of this process: no request waits for several rounds.
  expect(Math.max(...answers.map(({ at }) => at))).toBeLessThan(2 * CONTENT_TIME);
});

it('a visitor who disconnects releases the slot', async () => {
  held.splice(0);
  await register('wknd', 'left');
  const port = backend.port;
  const visitors = Array.from({ length: LIMITS.pagesOfSite + 10 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET /held/left HTTP/1.1\r\nhost: main--left--wknd.live.localhost:${port}\r\n\r\n`);
    return socket;
  });
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(LIMITS.pagesOfSite);
  const closed = Promise.all(held.map((response) => once(response, 'close')));
  for (const visitor of visitors) visitor.destroy();
  await closed;
  expect((await visit('/', 'wknd', 'left')).status).toBe(200);
});

it('pages in memory use up to LIMITS.pageBytes, half of it for one organization', async () => {
  const budget = createPageBudget();
  const server = createServer((request, response) => {
    budget.follow(request, response, startVisit(response, 1000));
    const [, org = '', bytes] = /^\/(\w+)\/(\d+)$/.exec(request.url ?? '') ?? [];
    try {
      budget.shareFor(request, org).reserve(Number(bytes));
      // Left open, so the memory of its answer stays in use.
      response.writeHead(200).flushHeaders();
    } catch {
      response.writeHead(503).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const half = LIMITS.pageBytes / 2;
  const ask = async (org: string, bytes: number) => (await fetch(`http://127.0.0.1:${port}/${org}/${bytes}`)).status;
  expect(await ask('one', half + 1)).toBe(503);
  expect([await ask('one', half), await ask('one', 1)]).toEqual([200, 503]);
  expect([await ask('two', half - 1), await ask('three', 2), await ask('three', 1), await ask('four', 1)]).toEqual([200, 503, 200, 503]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

it('a reader who takes longer than the sending time of a page (LIMITS.pageSending, shorter here) is disconnected', async () => {
  const budget = createPageBudget(100);
  const server = createServer((request, response) => {
    budget.follow(request, response, startVisit(response, 1000));
    budget.shareFor(request, 'org').reserve(1);
    response.end(Buffer.alloc(LIMITS.pageBytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(server, 'request');
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(await open()).toBe(1);
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  socket.destroy();
  server.close();
});

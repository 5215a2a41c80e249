import { sendRaw } from './hostile-pages.ts';
import { type Hostile, type HostileWorld, list } from './hostile-world.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (path: string, body: string) => async (world: HostileWorld) => [
  (await world.call('POST', path, { body, headers: FORM })).status,
];
const get =
  (path: string, headers: Readonly<Record<string, string>> = {}) =>
  async (world: HostileWorld) => [(await world.call('GET', path, { headers })).status];
const visit =
  (path: string, headers: Readonly<Record<string, string>> = {}) =>
  async (world: HostileWorld) => [(await world.visit('warm', path, { headers })).status];
const raw = (text: string) => async (world: HostileWorld) => [await sendRaw(world, text)];
const head = (line: string) => `${line}\r\nhost: main--warm--wknd.live.test\r\nconnection: close\r\n`;

/** Queries, forms, headers and paths, by number and length. */
export const HOSTILE_REQUESTS: readonly Hostile[] = [
  { name: 'a form with 149,000 values of one field', run: form('/auth/device', 'scope=&'.repeat(149_000)) },
  { name: 'a form with 80,000 values of one field that is a list', run: form('/config/wknd/apiKeys.json', 'roles=admin&'.repeat(80_000)) },
  { name: 'a form with 100,000 fields', run: form('/config/wknd/apiKeys.json', list(100_000, (index) => `f${index}=`).join('&')) },
  { name: 'a form of 1 MB of percent signs', run: form('/auth/device', `scope=${'%25'.repeat(340_000)}`) },
  { name: 'a query with 7,000 values of one name', run: get(`/config/wknd/sites.json?${'a&'.repeat(7000)}`) },
  { name: 'a query with 1,700 values of a known name', run: get(`/config/wknd/sites.json?${'limit=1&'.repeat(1700)}`) },
  { name: 'a query of 14 kB', run: get(`/config/wknd/sites.json?after=${'a'.repeat(14_000)}`) },
  { name: 'a query with U+0000', run: get('/config/wknd/log.json?site=%00') },
  { name: 'a limit that is not a number', run: get('/config/wknd/log.json?limit=1e99') },
  { name: 'a page that starts at the largest number', run: get('/config/wknd/log.json?before=9007199254740991') },
  { name: 'a version of the largest number', run: get('/config/wknd/sites/warm/versions/9007199254740991.json') },
  { name: 'a version beyond all numbers', run: get('/config/wknd/sites/warm/versions/1e308.json') },
  { name: 'a name in the path of 14 kB', run: get(`/config/wknd/sites/${'a-'.repeat(7000)}.json`) },
  { name: 'a name in the path that is almost valid', run: get(`/config/wknd/sites/${'a-'.repeat(7000)}-.json`) },
  { name: 'a branch of 14 kB', run: get(`/job/wknd/warm/${'a-'.repeat(7000)}/code`) },
  { name: 'a path of 7,000 segments', run: get(`/code/wknd/warm/main${'/a'.repeat(7000)}`) },
  {
    name: 'if-none-match with 3,000 etags',
    run: get('/config/wknd/sites/warm.json', { 'if-none-match': list(3000, (index) => `"${index}"`).join(',') }),
  },
  {
    name: 'if-match with 3,000 etags',
    run: get('/config/wknd/sites/warm.json', { 'if-match': list(3000, (index) => `"${index}"`).join(',') }),
  },
  { name: 'a token of 14 kB', run: get('/profile', { 'x-auth-token': `${'a'.repeat(7000)}.${'b'.repeat(6000)}.c` }) },
  { name: 'a cookie of 14 kB', run: get('/profile', { cookie: `${'a=b; '.repeat(2700)}auth_token=x` }) },
  { name: 'a request id of 14 kB', run: get('/health', { 'x-request-id': 'r'.repeat(14_000) }) },
  { name: 'an origin of 14 kB', run: get('/health', { origin: `https://${'o'.repeat(14_000)}` }) },
  { name: 'a page path of 14 kB', run: visit(`/${'a'.repeat(14_000)}`) },
  { name: 'a page path of 2,000 dots', run: visit(`/${'.'.repeat(1990)}`) },
  { name: 'a page path with half a surrogate pair', run: visit('/%ED%A0%80') },
  { name: 'a page path with %00', run: visit('/a%00b') },
  { name: 'a page path of 600 encoded slashes', run: visit(`/${'%2f'.repeat(600)}`) },
  { name: 'config.json with 3,000 etags', run: visit('/config.json', { 'if-none-match': list(3000, (index) => `"${index}"`).join(',') }) },
  { name: 'a range beyond all numbers', run: visit('/a', { range: `bytes=0-${'9'.repeat(10_000)}` }) },
  { name: 'a host of 14 kB', run: raw(`GET /config.json HTTP/1.1\r\nhost: ${'a-'.repeat(7000)}.live.test\r\nconnection: close\r\n\r\n`) },
  {
    name: 'a host with 8,000 hyphens in pairs',
    run: raw(`GET /config.json HTTP/1.1\r\nhost: ${'a--'.repeat(4000)}.live.test\r\nconnection: close\r\n\r\n`),
  },
  { name: '2,500 headers', run: raw(`${head('GET / HTTP/1.1')}${list(2500, (index) => `x${index}: 1\r\n`).join('')}\r\n`) },
  { name: 'a header of 100 kB', run: raw(`${head('GET / HTTP/1.1')}x: ${'x'.repeat(100_000)}\r\n\r\n`) },
  { name: '500 requests on one connection', run: raw('GET /config.json HTTP/1.1\r\nhost: main--warm--wknd.live.test\r\n\r\n'.repeat(500)) },
  {
    name: 'a chunk with an extension of 100 kB',
    run: raw(`${head('POST /auth/device HTTP/1.1')}transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}\r\na\r\n0\r\n\r\n`),
  },
  {
    name: '100,000 chunks of a byte',
    run: raw(`${head('POST /auth/device HTTP/1.1')}transfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`),
  },
  {
    name: '40 concurrent queries for branches of a repository that does not respond',
    alsoCorrect: [502, 503],
    async run(world) {
      await world.put('unanswered', { code: { owner: 'wknd', repo: 'unanswered' } });
      world.serve('/wknd/unanswered', (request) => void request.resume());
      const requests = list(40, (index) => world.call('POST', `/code/wknd/unanswered/b${index}/*`));
      return (await Promise.all(requests)).map(({ status }) => status);
    },
  },
];

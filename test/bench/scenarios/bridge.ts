import { createBridge } from '@repoless/upstream/bridge.ts';
import { hostedServiceAt, infoOf } from '@repoless/upstream/hosted.ts';
import { type Figure, measured } from '../figures.ts';
import type { Scenario } from '../options.ts';

type Bridge = ReturnType<typeof createBridge>;
type Request = Parameters<Bridge>[0];

const SERVICE = 'https://admin.hlx.page';
const SITES = 1000;
const TIME = '2026-01-01T00:00:00.000Z';
const SITE = '/config/wknd/sites/de';
/** Milliseconds of processor time that a call may take. */
const MOST = 2;

/** The processor time that the bridge adds to a call: the hosted service answers at once, from memory. */
export const bridge: Scenario = async ({ options, showProgress }) => {
  const bridged = inMemory();
  const headers = { 'x-auth-token': token(), 'content-type': 'application/json' };
  const write = (path: string) => (index: number) => ({ method: 'POST', path, headers, body: JSON.stringify({ '/a': `/${index}` }) });
  const kinds: Readonly<Record<string, (index: number) => Request>> = {
    'GET of a site': () => ({ method: 'GET', path: `${SITE}.json`, headers }),
    'POST of a part, dry run': write(`${SITE}/folders.json?dryRun=true`),
    'POST of a part': write(`${SITE}/folders.json`),
    'GET of 100 of 1,000 sites': () => ({ method: 'GET', path: '/config/wknd/sites.json?details=true&limit=100&after=s5', headers }),
  };
  const figures: Figure[] = [];
  for (const [name, request] of Object.entries(kinds)) {
    showProgress(name);
    const samples: number[] = [];
    for (let run = 0; run <= options.runs; run += 1) samples.push(await processorTime(bridged, request, options.seconds));
    figures.push(measured({ name, unit: 'ms', samples: samples.slice(1), target: { atMost: MOST } }));
  }
  return { scenario: 'Processor time that the bridge to the hosted service adds to a call', figures };
};

/** The processor time of a call, in milliseconds. */
async function processorTime(bridged: Bridge, request: (index: number) => Request, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let calls = 0;
  for (; performance.now() < until; calls += 1) {
    const { status, text } = await bridged(request(calls));
    if (status >= 300) throw new Error(text);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}

function inMemory(): Bridge {
  const service = hostedServiceAt(SERVICE, {});
  if (service === undefined) throw new Error(`${SERVICE} is not recognized as a hosted service.`);
  const { content, code } = siteDocument();
  const list = JSON.stringify({ sites: Array.from({ length: SITES }, (_, index) => ({ name: `s${index}`, content, code })) });
  const site = JSON.stringify(siteDocument()).slice(0, -1);
  const versions = JSON.stringify({ versions: [{ version: 1, created: TIME }] });
  let folders = '{}';
  const textOf = (path: string): string => {
    if (path.includes('/sites.json')) return list;
    return path.includes('/versions.json') ? versions : `${site},"folders":${folders}}`;
  };
  return createBridge({
    ...service,
    info: infoOf(service),
    now: () => new Date(),
    store: { put: async () => undefined, get: async () => undefined, remove: async () => undefined, list: async () => [] },
    fetchHosted: async ({ method, path, body = '' }) => {
      if (method === 'POST') folders = body;
      return { status: 200, headers: {}, text: method === 'POST' ? body : textOf(path) };
    },
  });
}

/** About 5 kB. */
function siteDocument() {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index);
  return {
    version: 1,
    created: TIME,
    lastModified: TIME,
    content: {
      source: { type: 'markup', url: 'https://author-p100-e200.example.com/bin/franklin.delivery/wknd/de/main', suffix: '.html' },
    },
    code: { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } },
    access: { admin: { role: { admin: many(40).map((index) => `person${index}@example.com`) }, requireAuth: 'auto' } },
    headers: Object.fromEntries(many(20).map((index) => [`/p${index}/**`, [{ key: 'x-a', value: 'b' }]])),
    public: { paths: { mappings: many(50).map((index) => `/content/de/${index}/:/${index}/`), includes: ['/content/de/'] } },
  };
}

/** It is parsed, but never verified. */
function token(): string {
  const claims = { email: 'person1@example.com', exp: 4_102_444_800 };
  return `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
}

import { siteAccessKind, withRole } from '@repoless/core/access/access-kind.ts';
import { previewChange, mayChange } from '@repoless/core/access/change-access.ts';
import { planRows } from '@repoless/core/sites/apply-rows.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { OPERATOR } from '../support/backend.ts';
import { open } from './apply.ts';
import { chooseSites, openTree, valueOf } from './choose-sites.ts';
import { ADA, type Person, startSetupWorld } from './setup-world.ts';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startBeforeAll } from '../support/start-before-all.ts';
import { listen } from '../support/listen.ts';

const LOCALES = ['/content/wknd/de/en', '/content/wknd/ch/fr'];
const signal = new AbortController().signal;

const world = startBeforeAll(() => startSetupWorld({ sites: true }));
const folder = startBeforeAll(openFolder);
let env: Record<string, string>;
beforeAll(async () => {
  const authoring = await world.author.issuer.token(ADA, { expires: '1h' });
  env = { REPOLESS_TOKEN: await world.backend.token(ADA), REPOLESS_AUTHORING_TOKEN: authoring };
  await folder.write('sites.yaml', file());
});

const file = () => `version: 1
organization: wknd
author: ${world.authorAddress()}
code: { owner: wknd, repo: wknd }
access: { role: { admin: [${ADA}] } }
cloudConfiguration: /conf/wknd
sites:
  - name: wknd-de-en
    contentRoot: /content/wknd/de/en
    cloudConfiguration: /conf/wknd/de-en
  - name: wknd-ch-fr
    contentRoot: /content/wknd/ch/fr
    cloudConfiguration: /conf/wknd/ch-fr
`;

/** Everything that could have changed: every site with its latest version, and the organization. */
async function stored(): Promise<string> {
  const list = await world.backend.call('GET', '/config/wknd/sites.json?details=true', { as: OPERATOR });
  const versions = await world.backend.call('GET', '/config/wknd/versions.json', { as: OPERATOR });
  return `${list.text}\n${versions.text}`;
}

/** Every dry run that clients make, and what they say if it was not possible. */
const ways: readonly (readonly [what: string, tries: (ada: Person, service: string) => Promise<unknown>])[] = [
  ['opening the panel of a page', async (ada) => (await open(ada, '/content/summit')).situation.dryRun?.answer],
  [
    'the review of many sites',
    async (ada) => {
      const straight = await world.person(ADA);
      const tree = await openTree(straight.ports, world.authorAddress(), (path) => /^\/content\/wknd(\/[a-z]{2})?$/.test(path));
      const { batch, rows } = await chooseSites(straight.ports, tree, LOCALES);
      return planRows(ada.ports, batch, rows, { signal });
    },
  ],
  [
    'the review of a change of access',
    async (ada) => {
      const kind = siteAccessKind('wknd', 'harbour');
      const current = valueOf(await ada.ports.service.stored(kind.address));
      const draft = kind.draftOf(current.value);
      return previewChange(ada.ports.service, kind, current, withRole(draft, 'author', ['new@example.com'], draft));
    },
  ],
  [
    'asking whether access may be changed',
    async (ada) => {
      const kind = siteAccessKind('wknd', 'harbour');
      return mayChange(ada.ports.service, kind, { ...valueOf(await ada.ports.service.stored(kind.address)), value: { admin: {} } });
    },
  ],
  [
    'the preview of a version to restore',
    async (ada) => {
      const { etag } = valueOf(await ada.ports.service.configuration('wknd', 'harbour'));
      const subject = { kind: 'site', organization: 'wknd', name: 'harbour' } as const;
      return ada.ports.service.history.dryRun(subject, { version: 1, etag, confirm: false });
    },
  ],
  ['repoless plan', async (_ada, service) => folder.repoless(['plan', '-f', 'sites.yaml', '--service', service], { env })],
  [
    'repoless apply --dry-run',
    async (_ada, service) => folder.repoless(['apply', '--dry-run', '-f', 'sites.yaml', '--service', service], { env }),
  ],
];

async function through<T>(options: Omit<DroppingOptions, 'target'>, work: (ada: Person, service: string) => Promise<T>): Promise<T> {
  const proxy = await startDroppingProxy({ target: world.backend.address, ...options });
  try {
    return await work(await world.person(ADA, { service: proxy.address }), proxy.address);
  } finally {
    await proxy.stop();
  }
}

describe.each(['query', 'header'] as const)('A dry run whose %s is lost in transit', (drops) => {
  test.each(ways)('writes nothing: %s', async (_what, tries) => {
    const before = await stored();
    await through({ drops, announces: true }, tries);
    expect(await stored()).toBe(before);
  });
});

test.each(ways)('A service that does not announce dry runs is not sent one: %s', async (what, tries) => {
  const before = await stored();
  const answers = await through({ drops: 'both', announces: false }, tries);
  expect(await stored()).toBe(before);
  if (what.startsWith('asking')) return;
  expect(JSON.stringify(answers)).toMatch(/not-announced|doesn’t support test runs/);
});

test('A service that announces dry runs but stores them is detected by its first answer, and is sent no more', async () => {
  const answers = await through({ drops: 'both', announces: true }, async (ada, service) => {
    const [, review] = ways[1] ?? [];
    return [await review?.(ada, service), await review?.(ada, service)];
  });
  expect(JSON.stringify(answers)).toContain('"reason":"ignored"');
  const counts = await Promise.all(['wknd-de-en', 'wknd-ch-fr'].map((site) => world.versions(site)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(1);
});

describe('The header x-dry-run', () => {
  const path = '/config/wknd/sites/harbour/public.json';
  const body = { paths: { mappings: ['/content/harbour/:/'] } };

  test('makes a write a dry run, as the query does', async () => {
    const before = await stored();
    const answer = await world.backend.call('POST', path, { as: OPERATOR, body, headers: { 'x-dry-run': 'true' } });
    expect(answer.json()).toMatchObject({ dryRun: true, status: 200 });
    expect(await stored()).toBe(before);
  });

  test.each([
    ['another value', path, 'perhaps'],
    ['a call without dry runs', '/auth/exchange', 'true'],
  ])('is refused with %s', async (_what, address, value) => {
    const before = await stored();
    const answer = await world.backend.call('POST', address, { as: OPERATOR, body, headers: { 'x-dry-run': value } });
    expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'QUERY_INVALID']);
    expect(answer.headers['x-error']).toContain('x-dry-run');
    expect(await stored()).toBe(before);
  });
});
interface DroppingProxy {
  readonly address: string;
  stop(): Promise<void>;
}

interface DroppingOptions {
  /** Scheme, host and port of the server behind it. */
  readonly target: string;
  /** Which parts of a dry-run request it drops. */
  readonly drops: 'query' | 'header' | 'both';
  /** Whether `/service.json` passes unchanged, or without the announcement of dry runs, as an older service answers it. */
  readonly announces: boolean;
}

/** A real HTTP server in front of another, which drops what makes a write a dry run. */
async function startDroppingProxy({ target, drops, announces }: DroppingOptions): Promise<DroppingProxy> {
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const isWrite = incoming.method !== 'GET' && incoming.method !== 'HEAD' && path.startsWith('/config/');
    const to = isWrite && drops !== 'header' ? path.replace(/\?.*$/, '') : path;
    const { 'x-dry-run': header, 'accept-encoding': _encoding, ...headers } = incoming.headers;
    const passedHeader = header !== undefined && (!isWrite || drops === 'query') ? { 'x-dry-run': header } : {};
    forward(target, incoming, to, { ...headers, ...passedHeader }).then(
      async (answer) => {
        const body = await text(answer);
        const { 'content-length': _length, 'transfer-encoding': _transfer, ...sent } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, sent).end(path === '/service.json' && !announces ? silent(body) : body);
      },
      () => incoming.socket.destroy(),
    );
  });
  const { port, stop } = await listen(server);
  return { address: `http://localhost:${port}`, stop };
}

function silent(body: string): string {
  const { features: _features, ...info } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(info);
}

function forward(target: string, incoming: IncomingMessage, path: string, headers: IncomingHttpHeaders): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(target);
    const outgoing = request({
      hostname: hostname.endsWith('localhost') ? '127.0.0.1' : hostname,
      port,
      method: incoming.method,
      path,
      headers,
    });
    outgoing.on('response', resolve).on('error', reject);
    incoming.pipe(outgoing);
  });
}

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../../support/backend.ts';
import { freePort } from '../../support/free-port.ts';

const RULES = new URL('../../../docs/monitoring/alerts.yml', import.meta.url).pathname;
const FIRED = new URL('alerts-fire.yml', import.meta.url).pathname;
const DASHBOARD = new URL('../../../docs/monitoring/dashboard.json', import.meta.url);
const WITHIN = { timeout: 30_000, interval: 200 };

const Dashboard = z.object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) });
const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), query: z.string(), health: z.string(), state: z.string() })) })),
});

/** Our own service's metrics differ from those in front of the hosted service. */
let backend: TestBackend;
let hosted: Hosted;
let front: TestBackend;
let prometheus: Prometheus;
let keys: string;
const YEAR = 365 * 86_400;
beforeAll(async () => {
  const lines: string[] = [];
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startTestBackend({
      settings: { METRICS_PORT: '0', LOG_LEVEL: 'info', ...more },
      dryRun: false,
      claim: !('UPSTREAM' in more),
      logged: (line) => lines.push(line),
    });
  hosted = await startHosted();
  backend = await start();
  keys = await mkdtemp(join(tmpdir(), 'repoless-keys-'));
  const file = join(keys, 'standing');
  await writeFile(
    file,
    hosted.token('apiKey', { sub: `${EXAMPLE.org}/*`, roles: ['config_admin'], exp: Math.floor(Date.now() / 1000) + YEAR }),
  );
  front = await start({ UPSTREAM: hosted.address, UPSTREAM_KEYS_FILE: file });
  const metrics = lines.flatMap((line) => /Metrics are at http:\/\/([^/]+)\//.exec(line)?.[1] ?? []);
  prometheus = await startPrometheus(metrics, RULES);
  // A rate requires earlier samples of its series.
  for (const [round, expression] of [
    'sum(repoless_http_requests_total{status="201"})',
    'sum(rate(repoless_http_requests_total{status="201"}[1m])) > 0 and sum(rate(repoless_hosted_requests_total[1m])) > 0',
  ].entries()) {
    await work(round);
    await vi.waitFor(async () => expect(await prometheus.values(expression)).toHaveLength(1), WITHIN);
  }
});
afterAll(async () => {
  await prometheus.stop();
  await backend.stop();
  await front.stop();
  await hosted.close();
  await rm(keys, { recursive: true });
});

/** Creates data for each panel: reads and writes, refusals, and visits of a site. */
async function work(round: number): Promise<void> {
  for (const name of ['a', 'b', 'c'].map((letter) => `site-${letter}${round}`)) {
    const body = siteBody('wknd', name, { public: publicPart(name) });
    expect((await backend.call('PUT', `/config/wknd/sites/${name}.json`, { as: OPERATOR, body })).status).toBe(201);
    expect((await backend.call('GET', `/config/wknd/sites/${name}.json`, { as: OPERATOR })).status).toBe(200);
    expect((await backend.call('GET', '/config/wknd/sites/none.json', { as: OPERATOR })).status).toBe(404);
    await backend.visit('live', `main--${name}--wknd`, '/config.json');
  }
  const token = hosted.token('session', { email: EXAMPLE.admin });
  expect((await front.call('GET', `/config/${EXAMPLE.org}.json`, { headers: { 'x-auth-token': token } })).status).toBe(200);
}

it('each panel of the dashboard has data', async () => {
  const { panels } = Dashboard.parse(JSON.parse(await readFile(DASHBOARD, 'utf8')));
  const empty: string[] = [];
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const query = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');
      const values = await prometheus.values(query);
      if (values.length === 0 || !values.some(Number.isFinite)) empty.push(`${title}: ${query}`);
    }
  }
  expect(panels.length).toBeGreaterThan(10);
  expect(empty).toEqual([]);
});

it('each alert can be evaluated, uses existing metrics, and is inactive while there is no problem', async () => {
  const { groups } = Rules.parse(await prometheus.get('rules'));
  const rules = groups.flatMap((group) => group.rules);
  const known = new Set(z.array(z.string()).parse(await prometheus.get('label/__name__/values')));
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.filter(({ health, state }) => health !== 'ok' || state !== 'inactive')).toEqual([]);
  const named = rules.flatMap(({ query }) => query.match(/\b(?:repoless|nodejs|process)_\w+/g) ?? []);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

it('each alert fires after its condition has lasted for its time', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', FIRED]);
  expect(stdout).toContain('SUCCESS');
  const fired = await readFile(FIRED, 'utf8');
  const names = [...(await readFile(RULES, 'utf8')).matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(names.filter((name) => !fired.includes(`alertname="${name}"`))).toEqual([]);
});

it('a node that is down fires an alert', async () => {
  await backend.stop();
  await vi.waitFor(async () => expect(await prometheus.values('ALERTS{alertname="RepolessDown"}')).toEqual([1]), WITHIN);
});

interface Prometheus {
  /** The data of an answer of its HTTP API. Rejects if it refuses. */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  /** The current values of an expression's series. */
  values(expression: string): Promise<number[]>;
  stop(): Promise<void>;
}

/** A Prometheus that reads the metrics at the targets (host and port) each second, and evaluates the rules of `rules`. */
async function startPrometheus(targets: readonly string[], rules: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-prometheus-'));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'repoless', static_configs: [{ targets }] }],
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const parameters = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  const child = spawn('prometheus', parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  let written = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('error', (cause) => reject(new Error('Install Prometheus (Debian: apt-get install prometheus).', { cause })));
    child.stderr.on('data', (chunk: Buffer) => {
      written += chunk.toString();
      if (written.includes('Server is ready')) resolve();
    });
    void ended.then(() => reject(new Error(written)));
  });

  const get: Prometheus['get'] = async (path, query = {}) => {
    const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(query).toString()}`);
    const answer = Answer.parse(await response.json());
    if (answer.status !== 'success') throw new Error(`${path} ${JSON.stringify(query)}: ${answer.error}`);
    return answer.data;
  };
  return {
    get,
    values: async (query) => Vector.parse(await get('query', { query })).result.map(({ value }) => Number(value[1])),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const Answer = z.object({ status: z.string(), data: z.unknown(), error: z.string().optional() });
const Vector = z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) });

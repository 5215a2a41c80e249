import { applyRows, planRows, rowsLeft } from '@repoless/core/sites/apply-rows.ts';
import { readEnvironment } from '@repoless/core/sites/environments.ts';
import { batchOf } from '@repoless/core/sites/propose-rows.ts';
import { checkRows } from '@repoless/core/sites/row-problems.ts';
import type { Batch, RowsProgress } from '@repoless/core/sites/rows.ts';
import fc from 'fast-check';
import { beforeAll, expect, test, describe } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { valueOf, chooseSites, openTree } from './choose-sites.ts';
import { callers, type Fault, faults, grow, type Grown, trees } from './generated-trees.ts';
import { ADA, type Person, startSetupWorld } from './setup-world.ts';
import { growTree } from '@repoless/sandbox/seed/fleet-roots.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { startUnreliableProxy } from '../support/unreliable-proxy.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { writes } from './apply.ts';

const [ROUNDS, AT_ONCE] = IS_LONG ? [26, 20] : [8, 10];
/** For the short form: with few rounds and a random seed, all trees might end up on one side. */
const SEED = 72;
const signal = new AbortController().signal;

const world = startBeforeAll(() => startSetupWorld({ sites: true }));
let batch: Batch;
beforeAll(async () => {
  const { ports } = await world.person(ADA);
  const info = valueOf(await ports.service.info());
  const base = valueOf(await ports.service.configuration('wknd', 'wknd')).config;
  const environments = [valueOf(await readEnvironment(ports.authoring, '/content/wknd', info))];
  batch = batchOf({ organization: 'wknd', author: world.authorAddress(), base, info, environments, baseConfiguration: '/conf/wknd' });
});

/** Stores what the service has beforehand. */
async function store({ tree, row }: Grown): Promise<void> {
  if (tree.site === 'none') return;
  const name = tree.site === 'root taken' ? `${row.siteName}-x` : row.siteName;
  const root = tree.site === 'other content' ? `/content/other/${row.siteName}` : row.contentRoot;
  const url = `${world.authorAddress()}/bin/franklin.delivery/wknd/${name}/main`;
  const answer = await world.backend.call('PUT', `/config/wknd/sites/${name}.json`, {
    as: OPERATOR,
    body: {
      code: batch.code,
      content: { source: { url, type: 'markup', suffix: '.html' } },
      public: { paths: { mappings: [`${root}/:/`], includes: [`${root}/`] } },
    },
  });
  if (answer.status >= 300) throw new Error(answer.text);
}

/** The rows that the review calls applicable. */
async function review({ ports }: Person, grown: readonly Grown[]): Promise<ReadonlySet<string>> {
  const rows = grown.map(({ row }) => row);
  const own = checkRows(batch, rows);
  const planned = await planRows(ports, batch, rows, { signal });
  return new Set(planned.filter(({ row, problems }) => problems.length === 0 && own.get(row.id)?.length === 0).map(({ row }) => row.id));
}

/** Runs all applicable rows together, as the review's button does, and each other row separately. */
async function run({ ports }: Person, grown: readonly Grown[], applicable: ReadonlySet<string>): Promise<string[]> {
  const rows = grown.map(({ row }) => row);
  const together = await applyRows(
    ports,
    batch,
    rows.filter(({ id }) => applicable.has(id)),
    { signal },
  );
  const alone = await Promise.all(rows.filter(({ id }) => !applicable.has(id)).map((row) => applyRows(ports, batch, [row], { signal })));
  return [together, ...alone].flatMap(({ results }) =>
    results.flatMap(({ row, status, calls }) => {
      const verdict = applicable.has(row.id) ? 'applicable' : 'not applicable';
      const wrong = applicable.has(row.id) !== (status.state === 'done') || (status.state !== 'done' && calls.length > 0);
      const tree = grown.find((one) => one.row.id === row.id)?.tree;
      return wrong
        ? [`called ${verdict}: ${JSON.stringify(tree)}, and the run ended ${JSON.stringify(status)} after ${calls.length} writes`]
        : [];
    }),
  );
}

const setFault = ({ mode, path, times }: Fault) =>
  world.author.fault({ mode, path, delay: 5, location: '/elsewhere', ...(times === undefined ? {} : { times }) });

test(
  'Exactly what the review calls applicable is applied, and anything else is refused before its first write',
  { timeout: 600_000 },
  async () => {
    let round = 0;
    let seen = 0;
    let fine = 0;
    const growing = fc.record({
      grown: fc.array(trees, { minLength: AT_ONCE, maxLength: AT_ONCE }),
      fault: fc.nat().chain(() => faults('FAMILY')),
      caller: callers,
    });
    await fc.assert(
      fc.asyncProperty(growing, async ({ grown: generated, fault, caller }) => {
        const family = `g${round++}`;
        const grown = generated.map((tree, index) => grow(tree, family, index));
        world.author.plant(grown.flatMap(({ resources }) => resources));
        for (const one of grown) await store(one);
        const person = await world.person(caller);
        await setFault({ ...fault, path: fault.path.replace('FAMILY', family) });
        try {
          const applicable = await review(person, grown);
          expect(await run(person, grown, applicable)).toEqual([]);
          seen += grown.length;
          fine += applicable.size;
        } finally {
          await setFault({ mode: 'none', path: '/' });
        }
      }),
      { numRuns: ROUNDS, endOnFailure: true, ...(!IS_LONG && { seed: SEED }) },
    );
    expect(seen).toBeGreaterThanOrEqual(ROUNDS * AT_ONCE);
    // The generator is only useful if both are frequent.
    expect(fine).toBeGreaterThan(seen / 20);
    expect(fine).toBeLessThan(seen * 0.9);
  },
);
describe('Many locales', () => {
  /** Enough to be stopped half-way, and to meet refusals. */
  const COUNT = IS_LONG ? 200 : 60;

  function* content() {
    yield* seedContent('live.localhost:4000');
    yield* growTree({ sites: COUNT, pagesPerSite: 3 });
  }

  const world = startBeforeAll(() => startSetupWorld({ sites: true, content: content() }));

  test(
    'Many locales are completed, although the run is stopped half-way, continued, and refused at times',
    { timeout: 600_000 },
    async () => {
      const unreliable = await startUnreliableProxy({
        target: world.backend.address,
        fate: ({ count }) => (count % 41 === 0 ? 429 : count % 53 === 0 ? 503 : 'pass'),
      });
      const ada = await world.person(ADA, { service: unreliable.address });
      const open = (path: string) => path === '/content/grown' || /^\/content\/grown\/[a-z]{2}$/.test(path);
      const straight = await world.person(ADA);
      const tree = await openTree(straight.ports, world.authorAddress(), open);
      const locales = [...tree.nodes.values()].filter(({ level, path }) => level === 'locale' && path.startsWith('/content/grown'));
      expect(locales).toHaveLength(COUNT);
      const { batch, rows } = await chooseSites(
        straight.ports,
        tree,
        locales.map(({ path }) => path),
      );
      const sites = tree.context.sites ?? [];

      const stopper = new AbortController();
      const shown: RowsProgress[] = [];
      const onProgress = (progress: RowsProgress) => {
        shown.push(progress);
        if (progress.done >= COUNT / 2) stopper.abort();
      };
      const first = await applyRows(ada.ports, batch, rows, { signal: stopper.signal, sites, onProgress });
      expect(first.outcome).toBe('stopped');
      const left = rowsLeft(first.results);
      expect(left.length).toBeLessThanOrEqual(COUNT / 2);
      expect(shown.at(-1)).toMatchObject({ total: COUNT, failed: 0 });

      // As after closing the tab: only the selected rows are known.
      const reopened = await world.person(ADA, { service: unreliable.address });
      const second = await applyRows(reopened.ports, batch, rows, { signal: new AbortController().signal });
      await unreliable.stop();
      expect(second.outcome).toBe('complete');
      expect(new Set(unreliable.passed.map(({ fate }) => fate))).toEqual(new Set(['pass', 429, 503]));

      const done = await world.person(ADA);
      await applyRows(done.ports, batch, rows, { signal: new AbortController().signal });
      expect(writes(done.sent)).toEqual([]);
      const { nodes } = await openTree(done.ports, world.authorAddress(), open);
      const states = locales.map(({ path }) => nodes.get(path)?.state);
      expect(states).toMatchObject(states.map(() => ({ kind: 'site', state: 'changed', drifts: [] })));
      for (const { siteName } of rows) expect(await world.versions(siteName)).toBe(1);
    },
  );
});

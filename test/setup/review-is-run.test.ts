import { applyRows, planRows } from '@repoless/core/sites/apply-rows.ts';
import { readEnvironment } from '@repoless/core/sites/environments.ts';
import { batchOf } from '@repoless/core/sites/propose-rows.ts';
import { checkRows } from '@repoless/core/sites/row-problems.ts';
import type { Batch } from '@repoless/core/sites/rows.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR } from '../support/backend.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { valueOf } from './choose-sites.ts';
import { callers, type Fault, faults, grow, type Grown, trees } from './generated-trees.ts';
import { ADA, type Person, type SetupWorld, startSetupWorld } from './setup-world.ts';

const [ROUNDS, AT_ONCE] = IS_LONG ? [26, 20] : [8, 10];
/** For the short form: with few rounds and a random seed, all trees might end up on one side. */
const SEED = 72;
const signal = new AbortController().signal;

let around: SetupWorld;
let batch: Batch;
beforeAll(async () => {
  around = await startSetupWorld({ sites: true });
  const { ports } = await around.person(ADA);
  const info = valueOf(await ports.service.info());
  const base = valueOf(await ports.service.configuration('wknd', 'wknd')).config;
  const environments = [valueOf(await readEnvironment(ports.authoring, '/content/wknd', info))];
  batch = batchOf({ organization: 'wknd', author: around.authorAddress(), base, info, environments, baseConfiguration: '/conf/wknd' });
});
afterAll(() => around.stop());

/** Stores what the service has beforehand. */
async function store({ tree, row }: Grown): Promise<void> {
  if (tree.site === 'none') return;
  const name = tree.site === 'root taken' ? `${row.siteName}-x` : row.siteName;
  const root = tree.site === 'other content' ? `/content/other/${row.siteName}` : row.contentRoot;
  const url = `${around.authorAddress()}/bin/franklin.delivery/wknd/${name}/main`;
  const answer = await around.backend.call('PUT', `/config/wknd/sites/${name}.json`, {
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
      const said = applicable.has(row.id) ? 'applicable' : 'not applicable';
      const wrong = applicable.has(row.id) !== (status.state === 'done') || (status.state !== 'done' && calls.length > 0);
      const tree = grown.find((one) => one.row.id === row.id)?.tree;
      return wrong
        ? [`called ${said}: ${JSON.stringify(tree)}, and the run ended ${JSON.stringify(status)} after ${calls.length} writes`]
        : [];
    }),
  );
}

const setFault = ({ mode, path, times }: Fault) =>
  around.author.fault({ mode, path, delay: 5, location: '/elsewhere', ...(times === undefined ? {} : { times }) });

test(
  'What the review calls applicable is applied, and nothing else is; what is not applicable is refused before its first write',
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
        around.author.plant(grown.flatMap(({ resources }) => resources));
        for (const one of grown) await store(one);
        const person = await around.person(caller);
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

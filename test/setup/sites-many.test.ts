import { expect, test } from 'vitest';
import { applyRows, rowsLeft } from '@repoless/core/sites/apply-rows.ts';
import type { RowsProgress } from '@repoless/core/sites/rows.ts';
import { growTree } from '@repoless/sandbox/seed/grow-tree.ts';
import { seedContent } from '@repoless/sandbox/seed/seed-content.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { startUnsteady } from '../support/unsteady.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { writes } from './apply.ts';
import { chooseSites, openTree } from './choose-sites.ts';
import { ADA, startSetupWorld } from './setup-world.ts';

/** Enough to be stopped half-way, and to meet refusals. */
const COUNT = IS_LONG ? 200 : 60;

function* content() {
  yield* seedContent('live.localhost:4000');
  yield* growTree({ sites: COUNT, pagesPerSite: 3 });
}

const around = startBeforeAll(() => startSetupWorld({ sites: true, content: content() }));

test(
  'Many locales are completed, although the run is stopped half-way, continued, and refused now and then',
  { timeout: 600_000 },
  async () => {
    const unsteady = await startUnsteady({
      target: around.backend.address,
      fate: ({ count }) => (count % 41 === 0 ? 429 : count % 53 === 0 ? 503 : 'pass'),
    });
    const ada = await around.person(ADA, { service: unsteady.address });
    const open = (path: string) => path === '/content/grown' || /^\/content\/grown\/[a-z]{2}$/.test(path);
    const straight = await around.person(ADA);
    const tree = await openTree(straight.ports, around.authorAddress(), open);
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
    const reopened = await around.person(ADA, { service: unsteady.address });
    const second = await applyRows(reopened.ports, batch, rows, { signal: new AbortController().signal });
    await unsteady.stop();
    expect(second.outcome).toBe('complete');
    expect(new Set(unsteady.passed.map(({ fate }) => fate))).toEqual(new Set(['pass', 429, 503]));

    const done = await around.person(ADA);
    await applyRows(done.ports, batch, rows, { signal: new AbortController().signal });
    expect(writes(done.sent)).toEqual([]);
    const { nodes } = await openTree(done.ports, around.authorAddress(), open);
    const states = locales.map(({ path }) => nodes.get(path)?.state);
    expect(states).toMatchObject(states.map(() => ({ kind: 'site', state: 'changed', drifts: [] })));
    for (const { siteName } of rows) expect(await around.versions(siteName)).toBe(1);
  },
);

import { MOST_PAGES, readSimulation } from '@repoless/core/mappings/read-simulation.ts';
import type { ContentPage } from '@repoless/core/situation/ports.ts';
import type { Failure, Known } from '@repoless/core/situation/call.ts';
import { expect, test } from 'vitest';

const ROOT = '/content/lantern';
const NEVER = new AbortController().signal;
const FAILURE: Failure = { kind: 'unreachable', system: 'authoring' };

/** A content tree generated on demand: `fan` pages below each page, down to `depth` levels. */
function tree(fan: number, depth: number, fails: (path: string) => boolean = () => false) {
  const asked: string[] = [];
  const levelOf = (path: string) => path.split('/').length - ROOT.split('/').length;
  const page = (path: string): ContentPage => ({ path, title: path, kind: 'page', hasChildren: levelOf(path) < depth });
  const answer = <T>(path: string, make: () => T): Known<T> => {
    asked.push(path);
    return fails(path) ? { state: 'failed', failure: FAILURE } : { state: 'known', value: make() };
  };
  return {
    asked,
    content: async (path: string) => answer(path, () => page(path)),
    children: async (path: string, most = Infinity) =>
      answer(path, () => Array.from({ length: Math.min(most, fan) }, (_, index) => page(`${path}/p${index}`))),
  };
}

function simulate(
  authoring: ReturnType<typeof tree>,
  mappings = [`${ROOT}/:/`],
  options: { signal?: AbortSignal; onPages?(count: number): void } = {},
) {
  const service = { effective: async (): Promise<Known<never>> => ({ state: 'missing' }) };
  const intended = { organization: 'wknd', siteName: 'lantern', after: { mappings } };
  return readSimulation({ service, authoring }, intended, { signal: NEVER, ...options });
}

test('Every page below the mapped folder is read once, single pages elsewhere as well', async () => {
  const authoring = tree(3, 2);
  const counts: number[] = [];
  const read = await simulate(authoring, [`${ROOT}/:/`, `${ROOT}/p1/:/one/`, '/content/elsewhere:/else'], {
    onPages: (count) => counts.push(count),
  });
  expect(read).toMatchObject({ state: 'known', value: { isTruncated: false, counts: { appears: 1 + 3 + 9 + 1 } } });
  expect(counts.at(-1)).toBe(14);
  expect(authoring.asked.filter((path) => path.startsWith('/content/elsewhere'))).toEqual(['/content/elsewhere']);
});

test.each([
  ['wide', tree(50_000, 1)],
  ['deep', tree(1, 50_000)],
  ['large', tree(20, 40)],
])('A tree that is too %s is read so far, and that is said', async (_how, authoring) => {
  const read = await simulate(authoring);
  expect(read).toMatchObject({ state: 'known', value: { isTruncated: true } });
  expect(read.state === 'known' && read.value.pages.length).toBeLessThanOrEqual(MOST_PAGES);
  expect(authoring.asked.length).toBeLessThan(MOST_PAGES);
});

test('What cannot be read is left out and said; nothing at all is a failure', async () => {
  const partly = await simulate(tree(3, 2, (path) => path.endsWith('/p1')));
  expect(partly).toMatchObject({ state: 'known', value: { counts: { appears: 10 } } });
  expect(partly.state === 'known' && [...partly.value.failures]).toEqual([[`${ROOT}/p1`, FAILURE]]);
  expect(await simulate(tree(3, 2, () => true))).toEqual({ state: 'failed', failure: FAILURE });
});

test('Reading stops when it is stopped', async () => {
  const authoring = tree(5, 30);
  const stopper = new AbortController();
  await simulate(authoring, undefined, { signal: stopper.signal, onPages: (count) => void (count === 10 && stopper.abort()) });
  expect(authoring.asked.length).toBeLessThan(20);
});

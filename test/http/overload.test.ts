import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import type { TestAnswer } from '../support/ask.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/build-management.ts';
import { buildBackend, BUILD_MANAGEMENT_PROGRAM, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import type { ChildBackend } from '../support/child-backend.ts';

/** Milliseconds; a machine that has other things to do is late by itself, and only sooner. */
const LIMIT = 100;
/** Each costs milliseconds of the processor: together far more than the limit. */
const AT_ONCE = 300;
const ORIGIN = 'https://extension.example.com';

/** More refusals than are logged one by one. */
const FEW = 50;
/** Milliseconds after which a load ends that never brought what was waited for. */
const PATIENCE = 20_000;

interface Seen {
  readonly answered: TestAnswer[];
  readonly refused: TestAnswer[];
  readonly probes: ReadonlyMap<string, TestAnswer[]>;
}

const told = ({ status, text }: TestAnswer): string => `${status} ${text.replaceAll(/\s/g, '')}`;

describe.each([
  { title: 'The service', program: undefined, needs: {} },
  { title: 'Build management', program: BUILD_MANAGEMENT_PROGRAM, needs: BUILD_MANAGEMENT_NEEDS },
])('$title under more than it can do', ({ title, program, needs }) => {
  let data: Awaited<ReturnType<typeof temporaryDirectory>>;
  let backend: ChildBackend;

  beforeAll(async () => {
    await buildBackend();
    data = await temporaryDirectory();
    const settings = { OVERLOAD_DELAY: String(LIMIT), RATE_LIMIT: '0', ALLOWED_ORIGINS: ORIGIN, ...needs };
    backend = await startChildBackend(data.path, settings, { program });
  }, 120_000);
  afterAll(async () => {
    backend.child.kill();
    await backend.ended;
    await data.remove();
  });

  /** Asks many times at once, again and again, and each probe one after the other, until enough of both is seen. */
  async function load(path: string, probes: readonly string[], isEnough: (seen: Seen) => boolean): Promise<Seen> {
    const seen: Seen = { answered: [], refused: [], probes: new Map(probes.map((probe) => [probe, []])) };
    const until = performance.now() + PATIENCE;
    const isDone = (): boolean => isEnough(seen) || performance.now() > until;
    const asking = async (): Promise<void> => {
      do {
        const answer = await ask(backend.address, path, { headers: { origin: ORIGIN } });
        (answer.status === 200 ? seen.answered : seen.refused).push(answer);
      } while (!isDone());
    };
    const probing = async ([probe, answers]: [string, TestAnswer[]]): Promise<void> => {
      do answers.push(await ask(backend.address, probe));
      while (!isDone());
    };
    await Promise.all([...Array.from({ length: AT_ONCE }, asking), ...[...seen.probes].map(probing)]);
    return seen;
  }

  it('answers what it can, refuses the rest at once, and says all the while that it lives', async () => {
    const { answered, refused, probes } = await load(
      '/openapi.json',
      ['/live'],
      (seen) => seen.refused.length > 0 && seen.answered.length > 0,
    );
    expect(answered.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, json } of refused) {
      expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
      expect(headers['x-error']).toMatch(new RegExp(`^${title} has more to do`));
      expect(json()).toMatchObject({ status: 503, code: 'OVERLOADED', requestId: headers['x-request-id'] });
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    }
    expect(new Set(probes.get('/live')?.map(told))).toEqual(new Set(['200 {"status":"live"}']));
  });

  it('asks to be left alone for a moment, while its health is what it was', async () => {
    const overloaded = '503 {"status":"overloaded"}';
    const { probes } = await load(
      '/openapi.json',
      ['/ready', '/health'],
      (seen) => seen.probes.get('/ready')?.some((answer) => told(answer) === overloaded) === true,
    );
    expect(new Set(probes.get('/health')?.map(told))).toEqual(new Set(['200 {"status":"ready"}']));
    expect(probes.get('/ready')?.map(told)).toContain(overloaded);
  });

  it('takes requests again as soon as nobody waits', async () => {
    await load('/openapi.json', ['/live'], (seen) => seen.refused.length > 0);
    await expect.poll(async () => (await ask(backend.address, '/ready')).status).toBe(200);
    await expect.poll(async () => (await ask(backend.address, '/openapi.json')).status).toBe(200);
  });

  it('writes of refusals a few lines a second, which count the others', async () => {
    await load('/openapi.json?secret=1', ['/live'], (seen) => seen.refused.length > FEW);
    const lines = backend
      .output()
      .split('\n')
      .filter((line) => line.includes('"code":"OVERLOADED"'));
    const refusals = lines.length + lines.reduce((sum, line) => sum + (Number(/"unlogged":(\d+)/.exec(line)?.[1]) || 0), 0);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(refusals);
  });
});

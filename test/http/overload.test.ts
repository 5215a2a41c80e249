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

  /** Asks many times at once, and one probe after the other until all of that is answered. */
  async function load(path: string, probe: string): Promise<{ answers: TestAnswer[]; probes: TestAnswer[] }> {
    let isDone = false;
    const all = Promise.all(Array.from({ length: AT_ONCE }, () => ask(backend.address, path, { headers: { origin: ORIGIN } })));
    const ended = all.finally(() => (isDone = true));
    const probes: TestAnswer[] = [];
    do probes.push(await ask(backend.address, probe));
    while (!isDone);
    return { answers: await ended, probes };
  }

  it('answers what it can, refuses the rest at once, and says all the while that it lives', async () => {
    const { answers, probes } = await load('/openapi.json', '/live');
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, json } of refused) {
      expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
      expect(headers['x-error']).toMatch(new RegExp(`^${title} has more to do`));
      expect(json()).toMatchObject({ status: 503, code: 'OVERLOADED', requestId: headers['x-request-id'] });
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    }
    expect(probes.map(({ status, text }) => [status, text.replaceAll(/\s/g, '')])).toEqual(probes.map(() => [200, '{"status":"live"}']));
  });

  it('asks to be left alone for a moment, while its health is what it was', async () => {
    const seen = await Promise.all([load('/openapi.json', '/ready'), load('/openapi.json', '/health')]);
    const [ready, health] = seen.map(({ probes }) => probes.map(({ status, text }) => `${status} ${text.replaceAll(/\s/g, '')}`));
    expect(new Set(health)).toEqual(new Set(['200 {"status":"ready"}']));
    expect(ready).toContain('503 {"status":"overloaded"}');
  });

  it('takes requests again as soon as nobody waits', async () => {
    await load('/openapi.json', '/live');
    await expect.poll(async () => (await ask(backend.address, '/ready')).status).toBe(200);
    await expect.poll(async () => (await ask(backend.address, '/openapi.json')).status).toBe(200);
  });

  it('writes of refusals a few lines a second, which count the others', async () => {
    const { answers } = await load('/service.json?secret=1', '/live');
    expect(answers.length).toBe(AT_ONCE);
    const lines = backend
      .output()
      .split('\n')
      .filter((line) => line.includes('"code":"OVERLOADED"'));
    const refusals = lines.length + lines.reduce((sum, line) => sum + (Number(/"unlogged":(\d+)/.exec(line)?.[1]) || 0), 0);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(refusals);
  });
});

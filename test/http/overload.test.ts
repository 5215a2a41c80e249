import { Agent } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import type { TestAnswer } from '../support/ask.ts';
import { BUILD_MANAGEMENT_NEEDS } from '../support/build-management.ts';
import { buildBackend, BUILD_MANAGEMENT_PROGRAM, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import type { ChildBackend } from '../support/child-backend.ts';

/** Milliseconds; a machine that has other things to do is late by itself, and only sooner. */
const LIMIT = 100;
/** More requests than are logged one by one. */
const AT_ONCE = 60;
const ORIGIN = 'https://extension.example.com';

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

  /**
   * The program stands still for longer than the limit, as it would over too much work, while many ask: all wait on connections
   * that are open, and are read in the turn that is late. Out: their answers, and those of the probes that asked with them.
   */
  async function standStill(path: string) {
    const agent = new Agent({ keepAlive: true });
    const probes = ['/live', '/ready', '/health'];
    await Promise.all(Array.from({ length: AT_ONCE + probes.length }, () => ask(backend.address, '/live', { agent })));
    backend.child.kill('SIGSTOP');
    const answers = Promise.all(Array.from({ length: AT_ONCE }, () => ask(backend.address, path, { agent, headers: { origin: ORIGIN } })));
    const told = Promise.all(probes.map((probe) => ask(backend.address, probe, { agent })));
    await later(3 * LIMIT);
    backend.child.kill('SIGCONT');
    const [live, ready, health] = await told;
    const seen = { answers: await answers, live, ready, health };
    agent.destroy();
    return seen;
  }

  it('refuses at once what came meanwhile, says that it lives, and asks to be left alone for a moment', async () => {
    const { answers, live, ready, health } = await standStill('/openapi.json');
    for (const { status, headers, json } of answers) {
      expect([status, headers['x-error-code'], headers['retry-after']]).toEqual([503, 'OVERLOADED', '1']);
      expect(headers['x-error']).toMatch(new RegExp(`^${title} is overloaded`));
      expect(json()).toMatchObject({ status: 503, code: 'OVERLOADED', requestId: headers['x-request-id'] });
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    }
    const probes = [live, ready, health].map((answer) => answer && told(answer));
    expect(probes).toEqual(['200 {"status":"live"}', '503 {"status":"overloaded"}', '200 {"status":"ready"}']);
  });

  it('takes requests again as soon as nobody waits', async () => {
    await standStill('/openapi.json');
    await expect.poll(async () => (await ask(backend.address, '/ready')).status).toBe(200);
    await expect.poll(async () => (await ask(backend.address, '/openapi.json')).status).toBe(200);
  });

  it('writes of refusals a few lines a second, which count the others', async () => {
    const lines = () =>
      backend
        .output()
        .split('\n')
        .filter((line) => line.includes('"code":"OVERLOADED"'));
    const unlogged = () => lines().reduce((sum, line) => sum + (Number(/"unlogged":(\d+)/.exec(line)?.[1]) || 0), 0);
    // A line says how many before it were left out.
    await expect.poll(() => standStill('/openapi.json?secret=1').then(unlogged)).toBeGreaterThan(0);
    expect(lines().length).toBeGreaterThan(0);
    expect(lines().join('\n')).not.toContain('secret');
  });
});

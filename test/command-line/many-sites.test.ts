import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startRepositories } from '../setup/repositories.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { IS_LONG } from '../support/long-tests.ts';
import { startUnreliableProxy, type Fate, type UnreliableProxy } from '../support/unreliable-proxy.ts';
import { folder, inOwnFolder, localesFile } from './command.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const COUNT = IS_LONG ? 200 : 40;
const VersionList = z.object({ versions: z.array(z.unknown()) });
const SiteList = z.object({ sites: z.array(z.object({ name: z.string() })) });

let env: Record<string, string>;
const codeHost = startBeforeAll(startRepositories);
const backend = startBeforeAll(() =>
  startTestBackend({
    settings: {
      CODE_HOST: codeHost.address,
      CODE_HOST_API: `${codeHost.address}/api`,
      CODE_HOST_RAW: `${codeHost.address}/raw`,
      CODE_RETRY_DELAY: '5',
    },
  }),
);
beforeAll(async () => {
  env = { REPOLESS_TOKEN: await backend.token(OPERATOR), REPOLESS_SERVICE: backend.address };
});
inOwnFolder();

async function names(): Promise<string[]> {
  const list = await backend.call('GET', '/config/wknd/sites.json', { as: OPERATOR });
  return SiteList.parse(list.json()).sites.map(({ name }) => name);
}

async function versions(site: string): Promise<number> {
  const list = await backend.call('GET', `/config/wknd/sites/${site}/versions.json`, { as: OPERATOR });
  return VersionList.parse(list.json()).versions.length;
}

async function removeAll(): Promise<void> {
  for (const name of await names()) await backend.call('DELETE', `/config/wknd/sites/${name}.json`, { as: OPERATOR });
}

describe('A file of many sites', () => {
  afterEach(removeAll);

  test('is planned, applied once, found done the second time, and a changed line changes one site', { timeout: 180_000 }, async () => {
    await folder.write('sites.yaml', localesFile(backend.address, 'many', COUNT));
    const planned = await folder.repoless(['plan', '-f', 'sites.yaml', '--json'], { env });
    expect(planned.json()).toMatchObject({ summary: { create: COUNT, change: 0, unchanged: 0, blocked: 0 } });
    expect(planned.code).toBe(3);
    expect(await names()).toEqual([]);

    const applied = await folder.repoless(['apply', '-f', 'sites.yaml', '--json'], { env });
    expect(applied.json()).toMatchObject({ summary: { created: COUNT, failed: 0, stopped: 0, writes: COUNT } });
    expect(applied.code).toBe(0);
    expect(await names()).toHaveLength(COUNT);

    const again = await folder.repoless(['apply', '-f', 'sites.yaml'], { env });
    expect(again).toMatchObject({ code: 0, out: `Nothing to do. All ${COUNT} sites match the file.\n` });
    expect(await versions('many-aa-de')).toBe(1);
    expect((await folder.repoless(['plan', '-f', 'sites.yaml'], { env })).code).toBe(0);

    await folder.write(
      'sites.yaml',
      localesFile(backend.address, 'many', COUNT, (index) => (index === 7 ? '    includes: [/content/many/]\n' : '')),
    );
    const changed = await folder.repoless(['apply', '-f', 'sites.yaml', '--json'], { env });
    expect(changed.json()).toMatchObject({ summary: { created: 0, changed: 1, unchanged: COUNT - 1, writes: 1 } });
    expect(await versions('many-ab-it')).toBe(2);
  });

  test('is applied completely when the service answers 429 and 503, disconnects and loses answers', { timeout: 240_000 }, async () => {
    const unreliable = await startUnreliableProxy({
      target: backend.address,
      fate: ({ path, count }) => (path.startsWith('/config/') ? fateOf(count) : 'pass'),
    });
    await folder.write('sites.yaml', localesFile(unreliable.address, 'shaky', COUNT));
    const applied = await folder.repoless(['apply', '-f', 'sites.yaml', '--json', '--service', unreliable.address], { env });
    await unreliable.stop();
    expect(applied.json()).toMatchObject({ summary: { created: COUNT, failed: 0, stopped: 0 } });
    await expectWhole(unreliable);
  });

  test('continues where it was stopped', { timeout: 240_000 }, async () => {
    const stopper = new AbortController();
    await folder.write('sites.yaml', localesFile(backend.address, 'cut', COUNT));
    const onStderr = (text: string) => text.startsWith(`${COUNT / 2} of ${COUNT}`) && stopper.abort();
    const stopped = await folder.repoless(['apply', '-f', 'sites.yaml'], { env, signal: stopper.signal, onStderr });
    expect(stopped.code).toBe(1);
    expect(stopped.out).toContain('Run the same command again to continue.');
    const created = (await names()).length;
    expect(created).toBeGreaterThanOrEqual(COUNT / 2);
    expect(created).toBeLessThan(COUNT);

    const rest = await folder.repoless(['apply', '-f', 'sites.yaml', '--json'], { env });
    expect(rest.json()).toMatchObject({ summary: { unchanged: created, created: COUNT - created, failed: 0 } });
    expect(await names()).toHaveLength(COUNT);
  });
});

function fateOf(count: number): Fate {
  if (count % 11 === 0) return 429;
  if (count % 13 === 0) return 503;
  if (count % 17 === 0) return 'unreachable';
  return count % 19 === 0 ? 'answer-lost' : 'pass';
}

async function expectWhole(unreliable: UnreliableProxy): Promise<void> {
  expect(new Set(unreliable.passed.map(({ fate }) => fate))).toEqual(new Set(['pass', 429, 503, 'unreachable', 'answer-lost']));
  const created = await names();
  expect(created).toHaveLength(COUNT);
  for (const name of created) expect(await versions(name)).toBe(1);
}

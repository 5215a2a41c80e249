import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, enable, failingFrom, open, situationOf, stateOf, undo, writes } from './apply.ts';
import { ADA, isWrite, OTTO, type Person, plant, startSetupWorld, type Sent } from './setup-world.ts';
import { CONFIGURATION, PAGE, SITE, summitOf } from './summit.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';

const SYNC = 'POST /code/wknd/summit/main/*';

const world = startBeforeAll(() => startSetupWorld());

const asBefore = () => summitOf(world);

/** The trace IDs of calls to the service, each in W3C Trace Context format. */
function tracesOf(sent: Person['sent']): string[] {
  return sent.flatMap(({ traceparent }) => {
    if (traceparent === undefined) return [];
    expect(traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
    return traceparent.split('-')[1] ?? [];
  });
}

describe('Enabling a site root', () => {
  test('registers, maps and gives access with one write, verifies, and switches the project type last', async () => {
    const before = await asBefore();
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    expect(opened.plan).toMatchObject({ complete: false, blocked: false });

    const { result, progress } = await apply(ada, PAGE, opened);

    expect(result).toEqual({ outcome: 'complete' });
    expect(writes(ada.sent)).toEqual([`POST ${CONFIGURATION}`, 'POST /bin/wcmcommand', `PUT ${SITE}`, SYNC, `POST ${CONFIGURATION}`]);
    expect(progress.filter(({ state }) => state === 'done').map(({ step }) => step)).toEqual(opened.plan.steps.map(({ id }) => id));
    const stored = await world.backend.call('GET', SITE, { as: ADA });
    expect(stored.json()).toMatchObject({
      public: {
        paths: {
          mappings: [`${PAGE}/:/`, `${PAGE}/configuration:/.helix/config.json`],
          includes: [`${PAGE}/`],
        },
      },
      access: { admin: { role: { config_admin: ['p100-e200@techacct.example.com'] }, requireAuth: 'auto' } },
    });
    expect(await world.edgeConfiguration('/conf/summit')).toMatchObject({ owner: 'wknd', repo: 'summit', projectType: '4' });

    const again = await open(await world.person(ADA), PAGE);
    expect(again.plan.complete).toBe(true);

    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await asBefore()).toEqual(before);
  });

  test('has one trace for all requests of a run, and another for each read before it', async () => {
    const ada = await world.person(ADA);
    const opened = await open(ada, PAGE);
    const read = tracesOf(ada.sent);
    expect(read.length).toBeGreaterThan(5);
    expect(new Set(read).size).toBe(read.length);
    const before = ada.sent.length;
    expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
    const run = tracesOf(ada.sent.slice(before));
    expect(new Set(run).size).toBe(1);
    expect(read).not.toContain(run[0]);
    const spans = ada.sent.slice(before).flatMap(({ traceparent }) => traceparent?.split('-')[2] ?? []);
    expect(new Set(spans).size).toBe(run.length);
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    const undone = new Set(tracesOf(ada.sent.slice(before)).slice(run.length));
    expect(undone.size).toBeGreaterThan(1);
    expect(undone).not.toContain(run[0]);
  });

  test('continues after an interruption, whichever write failed, and creates one version', async () => {
    const before = await asBefore();
    for (const failing of [1, 2, 3, 4]) {
      const versions = await world.versions('summit');
      const cut = await enable(await world.person(ADA, failingFrom(failing)), PAGE);
      expect(cut.result.outcome).toBe('failed');

      const reopened = await world.person(ADA);
      expect((await enable(reopened, PAGE)).result).toEqual({ outcome: 'complete' });
      expect(writes(reopened.sent)).toHaveLength(5 - failing);
      expect(await world.versions('summit')).toBe(versions + 1);
      await undo(reopened, PAGE);
      expect(await asBefore()).toEqual(before);
    }
  });

  test('recognizes completed writes whose answers were lost', async () => {
    const before = await asBefore();
    const versions = await world.versions('summit');
    const lost = new Set<string>();
    const ada = await world.person(ADA, {
      after: (sent) => {
        if (!isWrite(sent) || lost.has(sent.method + sent.address)) return;
        lost.add(sent.method + sent.address);
        throw new TypeError('fetch failed');
      },
    });
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(lost.size).toBe(3);
    expect(await world.versions('summit')).toBe(versions + 1);
    expect((await world.author.get(`${PAGE}/configuration0.json`, { as: ADA })).status).toBe(404);
    await undo(ada, PAGE);
    expect(await asBefore()).toEqual(before);
  });

  test('waits while the service is unreachable, then continues by itself', async () => {
    let away = 0;
    const ada = await world.person(ADA, {
      before: (sent) => {
        if (sent.method === 'PUT' && isWrite(sent) && away++ < 3) throw new TypeError('fetch failed');
      },
    });
    const { result, progress } = await enable(ada, PAGE);
    expect(result).toEqual({ outcome: 'complete' });
    expect(progress.filter(({ state }) => state === 'waiting')).toEqual(
      [2, 3, 4].map((attempt) => ({ step: 'register-site', state: 'waiting', attempt, why: { kind: 'unreachable' } })),
    );
    await undo(ada, PAGE);
  });

  test('stops between steps on request, and completes the rest later', async () => {
    const ada = await world.person(ADA);
    const { result } = await apply(ada, PAGE, await open(ada, PAGE), (progress, stop) => {
      if (progress.step === 'set-access' && progress.state === 'done') stop();
    });
    expect(result).toEqual({ outcome: 'stopped', after: 'set-access' });
    expect(await world.edgeConfiguration('/conf/summit')).toMatchObject({ projectType: '1' });
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    await undo(ada, PAGE);
  });

  test('succeeds for two people concurrently, with one version', async () => {
    const before = await asBefore();
    const versions = await world.versions('summit');
    const people = await Promise.all([world.person(ADA), world.person(OTTO)]);
    const opened = await Promise.all(people.map((person) => open(person, PAGE)));
    const results = await Promise.all(people.map((person, index) => apply(person, PAGE, opened[index] ?? never())));
    expect(results.map(({ result }) => result)).toEqual([{ outcome: 'complete' }, { outcome: 'complete' }]);
    expect(await world.versions('summit')).toBe(versions + 1);
    const { repolessPrevious } = (await world.edgeConfiguration('/conf/summit')) as { repolessPrevious: string };
    const { configurationPages } = JSON.parse(repolessPrevious) as { configurationPages: string[] };
    await undo(people[0] ?? never(), PAGE);
    // The last record may be that of the person whose run didn't create the page: its undo leaves that page alone.
    const page = await world.author.get(`${PAGE}/configuration.json`, { as: ADA });
    expect(page.status).toBe(configurationPages.length > 0 ? 404 : 200);
    if (page.status === 200) await world.remove(`${PAGE}/configuration`);
    expect(await asBefore()).toEqual(before);
  });

  test('can be undone after an interrupted undo', async () => {
    const before = await asBefore();
    const ada = await world.person(ADA);
    await enable(ada, PAGE);
    for (const failing of [2, 3, 4]) {
      expect((await undo(await world.person(ADA, failingFrom(failing - 1)), PAGE)).result.outcome).toBe('failed');
    }
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await asBefore()).toEqual(before);
    expect(stateOf((await open(ada, PAGE)).plan, 'project-type')?.kind).toBe('change');
  });

  test('reports Sling’s refusal of a write', async () => {
    const properties = { 'jcr:primaryType': 'rep:DenyACE', 'rep:principalName': OTTO, 'rep:privileges': ['rep:write'] };
    plant(world, '/conf/harbour/rep:policy/entry', properties);
    const address = `${world.authorAddress()}/conf/harbour/settings/cloudconfigs/edge-delivery-service-configuration/_jcr_content`;
    const call = { target: 'authoring', method: 'POST', address, body: { type: 'form', fields: [['./x', '1']] } } as const;
    const { ports } = await world.person(OTTO);
    expect(await ports.authoring.send(call)).toMatchObject({
      state: 'failed',
      failure: { kind: 'refused', status: 422, system: 'authoring' },
    });
    expect(await world.edgeConfiguration('/conf/harbour')).not.toHaveProperty('x');
  });

  test('renews a token that expires during a run', async () => {
    const ada: Person = await world.person(ADA, { revokeBeforeWrite: 3 });
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(ada.sent.filter(({ address }) => address.endsWith('/auth/exchange'))).toHaveLength(2);
    await undo(ada, PAGE);
  });

  test('changes nothing by reading', async () => {
    const before = await asBefore();
    const ada = await world.person(ADA);
    await situationOf(ada, PAGE);
    expect(writes(ada.sent)).toEqual([]);
    expect(await asBefore()).toEqual(before);
  });
});

function never(): never {
  throw new Error('There are two of them.');
}
describe('The requests of Setup', () => {
  /**
   * The most requests for opening Setup on a page without a site, and for pressing the button. The press reads everything again, except
   * what only checks read; writes, and verifies that each is stored and served.
   */
  const [OPENING, ENABLING] = [12, 30];

  const untouched = startBeforeAll(() => startSetupWorld());

  test('contain no duplicates, and are limited, for opening it and for enabling a site', async () => {
    const ada = await untouched.person(ADA);
    const opened = await open(ada, PAGE);
    const opening = requests(ada.sent);
    expect(opening.length, opening.join('\n')).toBeLessThanOrEqual(OPENING);
    expect(new Set(opening).size).toBe(opening.length);

    const before = ada.sent.length;
    expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
    const enabling = requests(ada.sent.slice(before));
    expect(enabling.length, enabling.join('\n')).toBeLessThanOrEqual(ENABLING);

    // The service answers for all files of the repository at once.
    const { sent: reading, ...reader } = await untouched.person(ADA);
    const { situation } = await open({ sent: reading, ...reader }, PAGE);
    expect(reading.filter(({ address }) => address.startsWith(untouched.codeHost.address))).toEqual([]);
    expect(checkSite(situation).find(({ check }) => check === 'obsolete-files')?.verdict).not.toBe('unknown');

    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
  });

  /** Without the sign-in, which many views share; polling a code sync counts once, however long it takes. */
  function requests(sent: readonly Sent[]): string[] {
    const all = sent.filter(({ address }) => !address.includes('/auth/')).map(({ method, address }) => `${method} ${address}`);
    return all.filter((request, index) => !request.includes('/job/') || all.indexOf(request) === index);
  }
});

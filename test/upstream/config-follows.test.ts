import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { english } from '@repoless/core/messages/english.ts';
import { type Hosted, startHosted } from '@repoless/sandbox/hosted/start-hosted.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAuthor } from '../sandbox/author.ts';
import { type Applied, apply, open, stateOf, writes } from '../setup/apply.ts';
import { ADA, type Person, type SetupWorld, worldWith } from '../setup/setup-world.ts';
import { PAGE, SITE } from '../setup/summit.ts';

const MINUTE = 60_000;
let hosted: Hosted;
let world: SetupWorld;
beforeAll(async () => {
  hosted = await startHosted({
    switches: { requestsPerSecond: 0, configDelayMs: 60 * MINUTE },
    // Code and pages exist: only the hosted service's configuration is late.
    fileOf: async (_site, path) => (path === '/config.json' ? undefined : { body: '{}', type: 'application/json' }),
  });
  world = await worldWith(await startAuthor(), {
    claim: false,
    settings: {
      UPSTREAM: hosted.address,
      UPSTREAM_SUCCESSOR: hosted.successor,
      UPSTREAM_PREVIEW: hosted.previewDomain,
      UPSTREAM_LIVE: hosted.liveDomain,
    },
  });
});
afterAll(async () => {
  await world.stop();
  expect(hosted.violations).toEqual([]);
  await hosted.close();
});

/** A person whose panel waits by a fake clock. `until` is called with how long it has waited for the hosts. */
async function waitingPerson(until: (waited: number) => void): Promise<{ readonly person: Person; waited(): number }> {
  let waited = 0;
  const person = await world.person(ADA, { hostToken: hosted.token('session', { email: ADA }) });
  const wait = async (milliseconds: number) => {
    waited += milliseconds;
    until(waited);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { person: { ...person, ports: { ...person.ports, wait } }, waited: () => waited };
}

/** The messages shown while it waits. */
function sentences({ progress }: Applied): Set<string> {
  return new Set(
    progress.flatMap((step) =>
      step.state === 'waiting' && step.why !== undefined ? [explainFailure(english['first-view'], step.why).sentence] : [],
    ),
  );
}

const projectType = async () => ((await world.edgeConfiguration('/conf/summit')) as { projectType: string }).projectType;

test('a setup waits minutes for the hosts and reports why, continues after it was closed, and switches nothing before', async () => {
  const first = await waitingPerson(() => undefined);
  const closed = await apply(first.person, PAGE, await open(first.person, PAGE), (_step, close) => first.waited() > MINUTE && close());
  expect([closed.result, [...sentences(closed)]]).toEqual([
    { outcome: 'stopped', after: expect.any(String) },
    [expect.stringMatching(/main--summit--wknd\S+\/config\.json.*usually follows within two minutes, at most in ten\.$/)],
  ]);

  const second = await waitingPerson((waited) => waited > 7 * MINUTE && hosted.set({ configDelayMs: 0 }));
  const opened = await open(second.person, PAGE);
  expect([stateOf(opened.plan, 'register-site')?.kind, stateOf(opened.plan, 'verify-preview')?.kind]).toEqual(['done', 'verify']);
  expect(await projectType()).toBe('1');
  const done = await apply(second.person, PAGE, opened);
  expect(done.result).toEqual({ outcome: 'complete' });
  expect([second.waited() > 7 * MINUTE, second.waited() < 9 * MINUTE]).toEqual([true, true]);
  expect([writes(second.person.sent).filter((one) => one.includes(SITE)), await projectType()]).toEqual([[], '4']);
});

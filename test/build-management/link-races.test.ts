import { expect, it } from 'vitest';
import { LinkOutcome, OneClickOutcome } from '@repoless/contract/build-management.ts';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR } from '../support/backend.ts';
import { startPausedVendor } from './paused-vendor.ts';
import { startBuildWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const LIST = '/organizations/wknd/repositories';
const world = startBeforeAll(startBuildWorld);
const vendor = startBeforeAll(() => startPausedVendor(world));

const read = (id: string, secret: string) =>
  world.call('GET', `/raw/100/${id}/main/.hlxignore`, { as: null, headers: { authorization: `token ${secret}` } });
const refusal = ({ status, headers }: TestAnswer) => [status, headers['x-error-code']];
const click = (id: string, site: string) =>
  world.call('POST', `${LIST}/${id}/sites`, {
    body: { site, contentUrl: `https://author-p100-e200.example.com/bin/franklin.delivery/wknd/${site}/main` },
  });

it('one click changes nothing if the repository was linked while the click waited for the vendor', async () => {
  const id = await vendor.ready();
  vendor.hold();
  const clicked = click(id, 'clicked');
  await expect.poll(() => vendor.held()).toBeGreaterThan(0);
  const linked = await world.link(id, 'linked');
  vendor.release();
  // Like a click after the link: the service does not know the secret yet.
  expect(refusal(await clicked)).toEqual([400, 'BODY_INVALID']);
  expect((await world.backend.call('GET', '/config/wknd/sites/clicked.json', { as: OPERATOR })).status).toBe(404);
  expect((await read(id, linked.secret)).status).toBe(200);
  expect((await world.settled(id, 'READY')).link?.site).toBe('linked');
});

it.each([0, 1, 2, 3, 4, 5])('one click revokes no link, whenever the link is made (%i)', async (moment) => {
  const id = await vendor.ready();
  await world.link(await vendor.ready(), `beside-${moment}`);
  const clicked = click(id, `click-${moment}`);
  // Delays the link by `moment` calls, so that it happens at different points of the click.
  for (let count = 0; count < moment; count += 1) await world.call('GET', `${LIST}/${id}`);
  const linked = await world.link(id, `beside-${moment}`);
  const answer = await clicked;
  expect((await read(id, linked.secret)).status).toBe(200);
  expect((await world.settled(id, 'READY')).link?.site).toBe(`beside-${moment}`);
  if (answer.status === 201) {
    // If the link came after the click, the click's site held the secret, and the link revoked it.
    const { holdsSecret } = OneClickOutcome.parse(answer.json());
    expect(linked.revoked?.site).toBe(holdsSecret ? `click-${moment}` : undefined);
  } else if (answer.status === 412) {
    expect(answer.headers['x-error']).toBe(
      `The site "click-${moment}" is registered, but in the meantime the repository "${linked.repository.name}" was linked to the site "beside-${moment}". Remove the site "click-${moment}". Create it again once "beside-${moment}" uses the repository.`,
    );
  } else expect(refusal(answer)).toEqual([400, 'BODY_INVALID']);
});

it('each of several concurrent links names the one that it revoked', async () => {
  const id = await vendor.ready();
  const sites = ['one', 'two', 'three', 'four'];
  for (const site of sites) await world.link(id, site);
  const outcomes = await Promise.all(sites.map((site) => world.link(id, site)));
  const statuses = await Promise.all(outcomes.map(async ({ secret }) => (await read(id, secret)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  const last = outcomes[statuses.indexOf(200)];
  // Each of the others was revoked by a later link, and the first revoked the previous holder.
  const revoked = outcomes.map((outcome) => LinkOutcome.parse(outcome).revoked?.site ?? '');
  const lost = sites.filter((_, index) => statuses[index] !== 200);
  expect(revoked.toSorted()).toEqual(['four', ...lost].toSorted());
  expect((await world.settled(id, 'READY')).link?.site).toBe(last?.repository.link?.site);
});

it('only one of two concurrent clicks links the repository', async () => {
  const id = await vendor.ready();
  const answers = await Promise.all([click(id, 'left'), click(id, 'right')]);
  const created = answers.flatMap((answer) => (answer.status === 201 ? [OneClickOutcome.parse(answer.json())] : []));
  const [holder, ...more] = created.filter(({ holdsSecret }) => holdsSecret);
  expect(more).toEqual([]);
  expect(['left', 'right']).toContain(holder?.site);
  expect((await world.settled(id, 'READY')).link?.site).toBe(holder?.site);
});

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, test } from 'vitest';
import { Rollout } from '@repoless/contract/rollout.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { violations } from './render-page.tsx';
import { chooseSites, register, showSites, stored } from './rollouts-world.tsx';

const WITHIN = { timeout: 40_000 };
/** More than are read at once. */
const MANY = 205;

const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
beforeAll(async () => {
  await register(backend, 'wknd', '/content/wknd');
  for (const site of ['shop-a', 'shop-b', 'shop-c', 'moved', 'other']) await register(backend, site, `/content/${site}`);
}, 120_000);

const stateOf = async (id: string) =>
  Rollout.parse((await backend.call('GET', `/config/wknd/rollouts/${id}.json`, { as: OPERATOR })).json()).state;
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const lines = (list = 'Sites of the rollout') => within(screen.getByRole('list', { name: list })).getAllByRole('listitem');

describe('the sites of a rollout', () => {
  test('that got worse stop it, are shown with what passed before, and are restored', async () => {
    const { person } = await showSites(backend);
    await chooseSites(person, 'shop', 3);
    await person.click(await button(/^Edit \d+ together…$/));
    await person.click(await button(/What to do/));
    await person.click(await screen.findByRole('option', { name: 'Remove a path mapping' }));
    fireEvent.change(await screen.findByRole('textbox', { name: /^Title/ }), { target: { value: 'Unmap' } });
    await person.click(await button('Preview on every site'));
    await screen.findByText('3 sites change', {}, WITHIN);
    await screen.findByText(/^3 sites: The live address no longer shows any page/);
    expect(screen.getByRole('button', { name: 'Start on 3 sites' })).toHaveProperty('disabled', true);
    await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
    await person.click(await button('Start on 3 sites'));
    await screen.findByText(/^After this wave, checks fail that passed before/, {}, WITHIN);
    await person.click(await button('1 Worse than before'));
    await waitFor(() => {
      const [line, ...others] = lines();
      expect(others).toEqual([]);
      expect(line?.textContent).toMatch(/^shop-a.*Passed before, fails now: \S/);
    });
    expect(await violations()).toEqual([]);
    await person.click(await button('Undo on all sites…'));
    await person.click(await button('Undo on 1 site'));
    await screen.findByText('“Unmap” is undone on 1 site.', {}, WITHIN);
    expect((await stored(backend, 'shop-a')).public?.paths?.mappings).toContain('/content/shop-a/:/');
  });

  test('are shown in pages if there are many', async () => {
    const names = Array.from({ length: MANY }, (_, index) => `many-${String(index).padStart(3, '0')}`);
    for (const name of names) await register(backend, name, `/content/many/${name}`);
    const edits = [{ op: 'set', path: '/title', value: 'One of {org}' }];
    const body = { title: 'Many', edits, sites: names };
    const { id } = Rollout.parse((await backend.call('POST', '/config/wknd/rollouts.json', { as: OPERATOR, body })).json());
    // The service shares a thread with the view, so it finishes before the view is rendered.
    await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe('done');
    const { person } = await showSites(backend, { hash: `#/organization?rollout=${id}`, locale: 'de-DE' });
    await screen.findByText(`„Many“ ist fertig: ${MANY} Sites geändert.`, {}, WITHIN);
    await waitFor(() => expect(lines('Sites des Rollouts').length).toBe(200));
    await person.click(await button('Weitere Sites zeigen'));
    await waitFor(() => expect(lines('Sites des Rollouts').length).toBe(MANY));
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Sites des Rollouts');
    expect(screen.queryByRole('button', { name: 'Weitere Sites zeigen' })).toBeNull();
  }, 120_000);
});

test('a site that could not be restored is shown with its reason, and the undo can be repeated', async () => {
  const order = async (path: string, body?: object) =>
    Rollout.parse((await backend.call('POST', `/config/wknd/rollouts${path}.json`, { as: OPERATOR, ...(body && { body }) })).json());
  const edits = [{ op: 'set', path: '/public/paths/mappings', value: ['/content/elsewhere/{site}/:/'] }];
  const { id } = await order('', { title: 'Move', edits, sites: ['moved', 'other'] });
  const state = () => stateOf(id);
  await expect.poll(state, WITHIN).toBe('stopped');
  await register(backend, 'taker', '/content/moved');
  await order(`/${id}/undo`);
  await expect.poll(state, WITHIN).toBe('stopped');
  const shown = await showSites(backend, { hash: `#/organization?rollout=${id}` });
  let { person } = shown;
  await screen.findByText('The undo stopped before everything was restored.', {}, WITHIN);
  await screen.findByText(/^1 site could not be restored\. moved: .*taker/);
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  await person.click(await screen.findByRole('button', { name: '1 Couldn’t be restored' }));
  await screen.findByText(/^The content root .*taker/);
  expect(lines().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^movedChangedCouldn’t be restored/)]);
  expect(await violations()).toEqual([]);
  shown.close();
  const german = await showSites(backend, { hash: `#/organization?rollout=${id}`, locale: 'de-DE' });
  const taken = 'Die Site „wknd/taker“ hat diese Inhaltswurzel schon.';
  await screen.findByText(`1 Site konnte nicht wiederhergestellt werden. moved: ${taken}`, {}, WITHIN);
  await german.person.click(await button('1 Nicht wiederhergestellt'));
  await screen.findByText(taken);
  german.close();
  ({ person } = await showSites(backend, { hash: `#/organization?rollout=${id}` }));
  await backend.call('DELETE', '/config/wknd/sites/taker.json', { as: OPERATOR });
  await person.click(await button('Undo on all sites…'));
  await screen.findByText('1 site: Visitors see the pages of other content at the same addresses.');
  expect(screen.getByRole('button', { name: 'Undo on 1 site' })).toHaveProperty('disabled', true);
  await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
  await person.click(screen.getByRole('button', { name: 'Undo on 1 site' }));
  await screen.findByText('“Move” is undone on 2 sites.', {}, WITHIN);
});

import { screen, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { Rollout } from '@repoless/contract/rollout.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { violations } from './render-page.tsx';
import { register, showSites } from './rollouts-world.tsx';

const as = OPERATOR;
const WITHIN = { timeout: 40_000 };

const backend = startBeforeAll(() => startTestBackend({ dryRun: false }));
beforeAll(async () => {
  await register(backend, 'wknd', '/content/wknd');
  for (const site of ['moved', 'other']) await register(backend, site, `/content/${site}`);
}, 120_000);

test('a site that could not be restored is told with its reason, and the undo is ordered again', async () => {
  const order = async (path: string, body?: object) =>
    Rollout.parse((await backend.call('POST', `/config/wknd/rollouts${path}.json`, { as, ...(body && { body }) })).json());
  const edits = [{ op: 'set', path: '/public/paths/mappings', value: ['/content/elsewhere/{site}/:/'] }];
  const { id } = await order('', { title: 'Move', edits, sites: ['moved', 'other'] });
  const state = async () => Rollout.parse((await backend.call('GET', `/config/wknd/rollouts/${id}.json`, { as })).json()).state;
  await expect.poll(state, WITHIN).toBe('stopped');
  await register(backend, 'taker', '/content/moved');
  await order(`/${id}/undo`);
  await expect.poll(state, WITHIN).toBe('stopped');
  const { person } = await showSites(backend, { hash: `#/organization?rollout=${id}` });
  await screen.findByText('The undo stopped before everything was restored.', {}, WITHIN);
  await screen.findByText(/^1 site could not be restored\. moved: .*taker/);
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  await person.click(await screen.findByRole('button', { name: '1 Couldn’t be restored' }));
  await screen.findByText(/^The content root .*taker/);
  const lines = within(screen.getByRole('list', { name: 'Sites of the rollout' })).getAllByRole('listitem');
  expect(lines.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^movedChangedCouldn’t be restored/)]);
  expect(await violations()).toEqual([]);
  await backend.call('DELETE', '/config/wknd/sites/taker.json', { as });
  await person.click(screen.getByRole('button', { name: 'Undo on all sites…' }));
  await screen.findByText('1 site: Visitors see the pages of other content at the same addresses.');
  expect(screen.getByRole('button', { name: 'Undo on 1 site' })).toHaveProperty('disabled', true);
  await person.click(screen.getByRole('checkbox', { name: 'I understand the consequences' }));
  await person.click(screen.getByRole('button', { name: 'Undo on 1 site' }));
  await screen.findByText('“Move” is undone on 2 sites.', {}, WITHIN);
});

import { checkSite } from '@repoless/core/checks/check-site.ts';
import { expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { apply, open, undo } from './apply.ts';
import { ADA, type Sent, startSetupWorld } from './setup-world.ts';
import { PAGE } from './summit.ts';

/**
 * The most requests for opening Setup on a page without a site, and for pressing the button. The press reads everything again, except what
 * only checks read; writes, and verifies that each is stored and served.
 */
const [OPENING, ENABLING] = [12, 30];

const world = startBeforeAll(() => startSetupWorld());

test('opening Setup and enabling a site request nothing twice, within their limits of requests', async () => {
  const ada = await world.person(ADA);
  const opened = await open(ada, PAGE);
  const opening = requests(ada.sent);
  expect(opening.length, opening.join('\n')).toBeLessThanOrEqual(OPENING);
  expect(new Set(opening).size).toBe(opening.length);

  const before = ada.sent.length;
  expect((await apply(ada, PAGE, opened)).result).toEqual({ outcome: 'complete' });
  const enabling = requests(ada.sent.slice(before));
  expect(enabling.length, enabling.join('\n')).toBeLessThanOrEqual(ENABLING);

  // The service answers for all files of the repository at once.
  const { sent: reading, ...reader } = await world.person(ADA);
  const { situation } = await open({ sent: reading, ...reader }, PAGE);
  expect(reading.filter(({ address }) => address.startsWith(world.codeHost.address))).toEqual([]);
  expect(checkSite(situation).find(({ check }) => check === 'obsolete-files')?.verdict).not.toBe('unknown');

  expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
});

/** Without the sign-in, which many views share; polling a code sync counts once, however long it takes. */
function requests(sent: readonly Sent[]): string[] {
  const all = sent.filter(({ address }) => !address.includes('/auth/')).map(({ method, address }) => `${method} ${address}`);
  return all.filter((request, index) => !request.includes('/job/') || all.indexOf(request) === index);
}

import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { VersionList } from '@repoless/contract/history.ts';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import { HistoryPanel } from '@repoless/extension/features/history/HistoryPanel.tsx';
import { OPERATOR } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA } from './access-world.tsx';
import { startConfiguredSite } from './configuration-world.tsx';
import { press, renderInSurface } from './in-surface.tsx';
import { LOSSES, lossyNetwork } from './lossy-network.ts';

const ADDRESS = '/config/wknd/sites/first';
const SITE = /sites\/first\.json$/;
const LIST = /versions\.json$/;
const first = startBeforeAll(startConfiguredSite);
/** Three versions: `zero` is restored, `one` is undone. */
let zero = 0;
let one = 0;
beforeEach(async () => {
  await first.put({ robots: { txt: 'zero' } });
  await first.put({ robots: { txt: 'one' } });
  await first.put({ robots: { txt: 'one' }, title: 'One' });
  const [, second, third] = await versions();
  one = second?.version ?? 0;
  zero = third?.version ?? 0;
});

/** Newest first. */
async function versions() {
  const answer = await first.backend.call('GET', `${ADDRESS}/versions.json`, { as: OPERATOR });
  return VersionList.parse(await answer.json()).versions.toSorted((a, b) => b.version - a.version);
}

const newest = async () => (await versions())[0]?.version;
const theirs = () => first.put({ robots: { txt: 'one' }, title: 'Theirs' });

function show(history: HistoryPort) {
  const calls = { restored: 0 };
  const { person } = renderInSurface(
    <HistoryPanel
      history={history}
      subject={{ kind: 'site', organization: 'wknd', name: 'first' }}
      onClose={() => undefined}
      onRestored={() => calls.restored++}
    />,
  );
  return { person, calls };
}

/** Opens a version over a lossy network. */
async function open(version: number) {
  const { service, lose, cut } = await lossyNetwork(first.backend, ADA);
  const shown = show(service.history);
  await press(shown.person, new RegExp(`Version ${version} `));
  await screen.findByRole('heading', { name: `Version ${version}` });
  return { ...shown, lose, cut };
}

/** Previews restoring the version, or undoing its change. */
async function ask(kind: 'restore' | 'undo') {
  const version = kind === 'restore' ? zero : one;
  const opened = await open(version);
  await press(opened.person, kind === 'restore' ? `Restore version ${version}…` : 'Undo this change…');
  const now = kind === 'restore' ? `Restore version ${version} now` : `Undo the change of version ${version} now`;
  await screen.findByRole('button', { name: now });
  return { ...opened, now, ...says(kind, version) };
}

const says = (kind: 'restore' | 'undo', version: number) =>
  kind === 'restore'
    ? {
        done: `Version ${version} was restored.`,
        failed: `Version ${version} was not restored`,
        uncertain: `Version ${version} may have been restored`,
        method: 'POST',
      }
    : {
        done: `The change of version ${version} was undone. Later changes are kept.`,
        failed: `The change of version ${version} was not undone`,
        uncertain: `The change of version ${version} may have been undone`,
        method: 'PUT',
      };

describe.each(['restore', 'undo'] as const)('A lost response to “%s”', (kind) => {
  test.each(LOSSES)('counts as success if the requested version is stored: %s', async (loss) => {
    const { person, calls, now, done, method, lose } = await ask(kind);
    lose(loss, method, SITE);
    await press(person, now);
    await screen.findByText(done);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(calls.restored).toBe(1);
    expect(await first.stored()).toMatchObject({ robots: { txt: 'zero' } });
  });

  test('is a failure if the request never arrived, and a second attempt stores the version', async () => {
    const { person, calls, now, done, failed, method, cut } = await ask(kind);
    cut(method, SITE);
    await press(person, now);
    const alert = await screen.findByRole('alert');
    within(alert).getByText(failed);
    expect(within(alert).queryByText(/Completed steps/)).toBeNull();
    expect(calls.restored).toBe(0);
    await press(person, 'Review again', now);
    await screen.findByText(done);
  });

  test('is reported as possible success if that cannot be read, and recognized later', async () => {
    const { person, calls, now, done, failed, uncertain, method, lose, cut } = await ask(kind);
    lose('broken', method, SITE);
    cut('GET', SITE);
    await press(person, now);
    const alert = await screen.findByRole('alert');
    within(alert).getByText(uncertain);
    expect(screen.queryByText(failed)).toBeNull();
    expect(document.activeElement).toBe(alert);
    // The list shows at once whether there is a new version.
    await screen.findByRole('button', { name: new RegExp(`Version ${await newest()} .*Current$`) });
    await press(person, 'Review again');
    await screen.findByText(done);
    expect(calls.restored).toBe(1);
  });

  test('does not count as success if someone else was faster', async () => {
    const { person, calls, now, failed, uncertain, method, cut } = await ask(kind);
    await theirs();
    cut(method, SITE);
    await press(person, now);
    within(await screen.findByRole('alert')).getByText(uncertain);
    expect(screen.queryByText(failed)).toBeNull();
    await press(person, 'Review again', now);
    await screen.findByText(says(kind, kind === 'restore' ? zero : one).done);
    expect(calls.restored).toBe(1);
  });
});

describe('A version whose deletion gets no response', () => {
  const remove = async () => {
    const opened = await open(one);
    await press(opened.person, `Delete version ${one}…`);
    return { ...opened, confirm: () => press(opened.person, `Delete version ${one}`) };
  };

  test.each(LOSSES)('is deleted if it is missing: %s', async (loss) => {
    const { lose, confirm } = await remove();
    lose(loss, 'DELETE', new RegExp(`versions/${one}\\.json$`));
    await confirm();
    await screen.findByText(`Version ${one} was deleted.`);
    expect((await versions()).map(({ version }) => version)).not.toContain(one);
  });

  test('is possibly deleted if that cannot be read', async () => {
    const { lose, cut, confirm } = await remove();
    lose('broken', 'DELETE', new RegExp(`versions/${one}\\.json$`));
    cut('GET', LIST);
    await confirm();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The version may not have been deleted');
    expect(document.activeElement).toBe(alert);
  });

  test('is not deleted if it still exists', async () => {
    const { cut, confirm } = await remove();
    cut('DELETE', new RegExp(`versions/${one}\\.json$`));
    await confirm();
    await screen.findByText('The version was not deleted');
  });
});

describe('The name of a version whose response was lost', () => {
  const name = async () => {
    const opened = await open(one);
    await opened.person.type(await screen.findByRole('textbox', { name: 'Name of this version' }), 'Before the relaunch');
    return { ...opened, save: () => press(opened.person, 'Save the name') };
  };

  test.each(LOSSES)('is saved if it is stored: %s', async (loss) => {
    const { lose, save } = await name();
    lose(loss, 'POST', new RegExp(`versions/${one}\\.json$`));
    await save();
    await screen.findByText('The name was saved.');
    expect(screen.queryByText('The name was not saved')).toBeNull();
    await screen.findByRole('button', { name: /Before the relaunch/ });
  });

  test('is possibly saved if that cannot be read', async () => {
    const { lose, cut, save } = await name();
    lose('broken', 'POST', new RegExp(`versions/${one}\\.json$`));
    cut('GET', LIST);
    await save();
    await screen.findByText('The name may not have been saved');
  });

  test('is not saved if the request never arrived', async () => {
    const { cut, save } = await name();
    cut('POST', new RegExp(`versions/${one}\\.json$`));
    await save();
    await screen.findByText('The name was not saved');
  });
});

import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createEventsPort } from '@repoless/core/api/events-port.ts';
import { Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { renderInSurface } from './in-surface.tsx';
import { type Loss, lossyNetwork } from './lossy-network.ts';

const backend = startBeforeAll(() => startTestBackend());

test.each<Loss>(['broken', 502])(
  'A webhook whose answer was lost is told as one that may be there, and is in the list: %s',
  async (loss) => {
    const { client, lose } = await lossyNetwork(backend, OPERATOR);
    const { person } = renderInSurface(<Subscriptions port={createEventsPort(client)} organization="wknd" />);
    await person.click(await screen.findByRole('button', { name: 'Add a recipient' }));
    await person.click(await screen.findByRole('radio', { name: 'Webhook' }));
    const address = `https://hooks.example.com/${loss}`;
    lose(loss, 'POST', /subscriptions\.json$/);
    await person.type(screen.getByRole('textbox', { name: /^Address/ }), `${address}{Enter}`);
    const told = await screen.findByRole('alert');
    expect(within(told).getByText('The recipient may have been added')).toBeTruthy();
    expect(within(told).getByText(/nobody has its secret/)).toBeTruthy();
    expect(screen.queryByText('The recipient was not added')).toBeNull();
    expect(await within(await screen.findByRole('list', { name: 'Recipients' })).findByText(new RegExp(address))).toBeTruthy();
  },
);

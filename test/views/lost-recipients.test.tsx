import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventsPort } from '@repoless/core/api/events-port.ts';
import { Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { lossyNetwork } from './lossy-network.ts';
import type { Loss } from './lossy-network.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.stop());

test.each<Loss>(['broken', 502])(
  'A webhook whose answer was lost is told as one that may be there, and is in the list: %s',
  async (loss) => {
    const { client, lose } = await lossyNetwork(backend, OPERATOR);
    render(
      <Surface locale="en-US" theme="light" standAlone={false}>
        <Subscriptions port={createEventsPort(client)} organization="wknd" />
      </Surface>,
    );
    const person = userEvent.setup();
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

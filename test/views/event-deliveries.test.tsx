import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { expect, test } from 'vitest';
import type { OrgEvent } from '@repoless/contract/event.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { Deliveries, Subscriptions } from '@repoless/extension/features/events/Subscriptions.tsx';
import { Notifications } from '@repoless/extension/features/events/Notifications.tsx';
import { renderInSurface } from './in-surface.tsx';
import { violations } from './render-page.tsx';
import { BUILDS, createSyncWorld, externalRepository, externalSite } from './sync-world.ts';
import { eventsPort, FAILED_MESSAGE, SUBSCRIPTION, TIME, UNREACHABLE } from './ports.ts';

function showDeliveries(answers: Partial<EventsPort>) {
  return renderInSurface(<Deliveries port={eventsPort(answers)} organization="wknd" subscription={SUBSCRIPTION} />).person;
}

test('a message that could not be sent again is not reported as one that could not be read', async () => {
  let answer: Known<unknown> = { state: 'failed', failure: { kind: 'refused', status: 429 } };
  const person = showDeliveries({ resend: async () => answer });
  await person.click(await screen.findByRole('button', { name: 'Send again: message-1' }));
  await screen.findByText('The message was not sent again');
  expect(screen.queryByText(/Couldn’t read/)).toBeNull();
  expect(await violations()).toEqual([]);
  answer = { state: 'known', value: {} };
  await person.click(screen.getByRole('button', { name: 'Send again: message-1' }));
  await screen.findByText('The message is being sent again.');
  expect(screen.queryByText('The message was not sent again')).toBeNull();
});

test('a missing message is not reported as sent again', async () => {
  const person = showDeliveries({ resend: async () => ({ state: 'missing' }) });
  await person.click(await screen.findByRole('button', { name: 'Send again: message-1' }));
  await screen.findByText('The message was not sent again');
});

test.each([
  [codeSentence('messageStatus', { status: 500 }), 'Der Empfänger antwortete 500.'],
  [codeSentence('mailSlow', { seconds: 30 }), 'Der Mailserver hat die Nachricht nicht innerhalb von 30 Sekunden angenommen.'],
  [
    codeSentence('hostInternal', { host: '10.0.0.7' }),
    '10.0.0.7 ist eine interne Adresse; die Einstellungen des Dienstes lassen solche nicht zu.',
  ],
])('the reason “%s” of a failed delivery is shown in German', async (problem, sentence) => {
  const deliveries = async () => ({ state: 'known' as const, value: [{ ...FAILED_MESSAGE, problem }] });
  const view = <Deliveries port={eventsPort({ deliveries })} organization="wknd" subscription={SUBSCRIPTION} />;
  renderInSurface(view, { locale: 'de-DE' });
  await screen.findByText(sentence);
  expect(document.body.textContent).not.toContain(problem);
});

test('messages and recipients that could not be read are reported as such', async () => {
  showDeliveries({ deliveries: async () => UNREACHABLE });
  await screen.findByText('Couldn’t read the messages sent');
  renderInSurface(<Subscriptions port={eventsPort({ subscriptions: async () => UNREACHABLE })} organization="wknd" />);
  await screen.findByText('Couldn’t read the recipients');
});

test('a recipient to whom nothing is sent any more is marked, with advice', async () => {
  const other = { ...SUBSCRIPTION, id: 'subscription-2', channel: { type: 'webhook', url: 'https://hooks.example.com/' } } as const;
  const port = eventsPort({ subscriptions: async () => ({ state: 'known', value: [{ ...SUBSCRIPTION, withheld: true }, other] }) });
  renderInSurface(<Subscriptions port={port} organization="wknd" />);
  await screen.findByText('Nothing is sent');
  expect(
    screen.getAllByText(/can no longer configure the organization\. Give them a role that can, or remove the recipient\./),
  ).toHaveLength(1);
  expect(await violations()).toEqual([]);
});

test.each<[string, Pick<OrgEvent, 'kind' | 'detail'>]>([
  ['Secret expires soon', { kind: 'secret-ends', detail: '2026-03-14T00:00:00.000Z' }],
  ['Secret has expired', { kind: 'secret-ends', detail: '2026-03-04T00:00:00.000Z' }],
  ['API key expires soon', { kind: 'expires-soon', detail: '2026-03-14T00:00:00.000Z' }],
  ['API key has expired', { kind: 'expires-soon', detail: '2026-03-04T00:00:00.000Z' }],
])('a notification says “%s” according to its creation time', async (title, about) => {
  const event: OrgEvent = { id: 1, time: TIME, org: 'wknd', cause: 'one', phase: 'began', open: true, ...about };
  const reading = { state: 'ready' as const, value: { events: [event], unread: 0 } };
  renderInSurface(<Notifications port={eventsPort({})} organization="wknd" sites={[]} reading={reading} onReload={() => undefined} />);
  await screen.findByText(title, { exact: false });
});

test('a notification calls an external repository by its name', async () => {
  const world = createSyncWorld();
  world.repositories.push(externalRepository());
  const about = { repository: 'byogit:100/7', ref: 'main', detail: 'Unable to fetch tree: 503' };
  const event: OrgEvent = { id: 1, time: TIME, org: 'wknd', kind: 'sync-failed', cause: 'one', phase: 'began', open: true, ...about };
  const reading = { state: 'ready' as const, value: { events: [event], unread: 0 } };
  const builds = world.ports.clientAt(BUILDS);
  renderInSurface(
    <Notifications
      port={eventsPort({})}
      organization="wknd"
      sites={[externalSite('summit')]}
      builds={builds}
      reading={reading}
      onReload={() => undefined}
    />,
  );
  await screen.findByText(/: Team site · main$/);
});

test('problems are grouped by cause, with their sites and one advice; resolved ones are collapsed', async () => {
  const started = { time: TIME, org: 'wknd', phase: 'began', open: true } as const;
  const check = (id: number, site: string): OrgEvent => ({
    ...started,
    id,
    kind: 'check-failed',
    cause: `${site} config-live`,
    site,
    about: 'config-live',
  });
  const repository = { repository: 'github:wknd/wknd', ref: 'main' };
  const events: OrgEvent[] = [
    { ...started, ...repository, id: 1, kind: 'sync-failed', cause: 'github:wknd/wknd#main', detail: 'The code host answered 503.' },
    ...Array.from({ length: 20 }, (_, index) => check(10 + index, `site-${index}`)),
    // A problem that started twice is listed once, and so is its end.
    check(40, 'site-0'),
    { ...check(41, 'mended'), phase: 'ended', open: false },
    { ...check(42, 'mended-too'), open: false },
    { ...check(43, 'mended-too'), phase: 'ended', open: false },
  ];
  const code = { owner: 'wknd', repo: 'wknd' };
  const sites = ['one', 'two', 'three'].map((name) => ({ name, path: '', code }));
  const reading = { state: 'ready' as const, value: { events, unread: 3 } };
  const read: number[] = [];
  const port = eventsPort({
    read: async (_, upTo) => {
      read.push(upTo);
      return { state: 'known', value: {} };
    },
  });
  renderInSurface(<Notifications port={port} organization="wknd" sites={sites} reading={reading} onReload={() => undefined} />);
  const open = within(await screen.findByRole('list', { name: 'Notifications' }));
  expect(open.getAllByText(/^(Check found|Code sync)/).map(({ textContent }) => textContent)).toEqual([
    'Check found errors: config.json on the live host',
    'Code sync failed: wknd/wknd · main',
  ]);
  open.getByText('3 sites');
  open.getByText('The code host answered 503.');
  open.getByRole('link', { name: /^Open the repositories/ });
  expect(open.getAllByText('See what that means and how to fix it.')).toHaveLength(1);
  expect(open.getAllByRole('link', { name: /^site-/, hidden: true })).toHaveLength(20);
  expect(screen.getByText('Resolved (1)').closest('details')?.open).toBe(false);
  expect(await violations()).toEqual([]);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(read).toEqual([43]);
});

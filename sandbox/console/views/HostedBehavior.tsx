import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { Switch } from '@adobe/react-spectrum/Switch';
import { useEffect, useState } from 'react';
import { z } from 'zod';

const Control = z.object({ switches: z.record(z.string(), z.unknown()), violations: z.array(z.string()) });
type Control = z.infer<typeof Control>;

/**
 * Switches for behaviors of the hosted service that are not certain from outside: its stand-in does one or the other
 * (sandbox/hosted/switches.ts).
 */
export function HostedBehavior() {
  const [control, setControl] = useState<Control | 'failed'>();
  const ask = (change?: Readonly<Record<string, unknown>>): void => void asked(change).then(setControl, () => setControl('failed'));
  useEffect(() => ask(), []);
  if (control === undefined) return null;
  if (control === 'failed') return <p role="alert">Couldn’t reach the hosted service. Is the sandbox still running?</p>;
  const { switches, violations } = control;
  return (
    <section className="stands" aria-label="Behavior of the hosted service">
      {CHOICES.map(({ id, title, values }) => (
        <Picker
          key={id}
          label={title}
          width="100%"
          items={values.map(([value, name]) => ({ id: String(value), name }))}
          selectedKey={String(switches[id])}
          onSelectionChange={(key) => ask({ [id]: values.find(([value]) => String(value) === key)?.[0] })}
        >
          {(item) => <Item key={item.id}>{item.name}</Item>}
        </Picker>
      ))}
      {TOGGLES.map(([id, title]) => (
        <Switch key={id} isSelected={switches[id] === true} onChange={(isOn) => ask({ [id]: isOn })}>
          {title}
        </Switch>
      ))}
      {violations.length > 0 && <p role="alert">{`It was sent what no client may send: ${violations.at(-1) ?? ''}`}</p>}
    </section>
  );
}

const CHOICES = [
  {
    id: 'configDelayMs',
    title: 'config.json follows a change',
    values: [
      [0, 'At once'],
      [20_000, 'After 20 seconds'],
      [120_000, 'After two minutes'],
    ],
  },
  {
    id: 'jobMs',
    title: 'A code sync takes',
    values: [
      [0, 'No time'],
      [15_000, '15 seconds'],
    ],
  },
  {
    id: 'requestsPerSecond',
    title: 'Requests a second',
    values: [
      [10, '10'],
      [3, '3'],
      [0, 'Any number'],
    ],
  },
  {
    id: 'lists',
    title: 'Lists of secrets and keys',
    values: [
      ['map', 'Objects by name'],
      ['array', 'Arrays'],
      ['absent', '404 where there are none'],
    ],
  },
  {
    id: 'byogit',
    title: 'Code source “byogit”',
    values: [
      ['github', 'Stored as “github”'],
      ['byogit', 'Stored as it is'],
      ['refused', 'Refused'],
    ],
  },
  {
    id: 'jobDetailsStatus',
    title: 'Details of a job',
    values: [
      [200, 'Status 200'],
      [202, 'Status 202'],
    ],
  },
] as const;

const TOGGLES = [
  ['ims', 'Accepts the sign-in of the authoring system'],
  ['prefix', 'x-error begins with [admin]'],
  ['retryAfter', 'retry-after with 429'],
  ['sourceAlone', 'Accepts code with its source alone'],
  ['wholePostDropsKeys', 'A whole POST without keys removes them'],
  ['wholePostBreaksKeys', 'A whole POST breaks the values of keys'],
  ['versionsNameUser', 'Versions name their author'],
  ['versionsSurviveDelete', 'Versions survive the site'],
  ['syncsExternal', 'Syncs external repositories'],
  ['hlxignoreRefused', 'The git vendor refuses the secret'],
  ['robotsText', 'robots.txt accepts text'],
  ['head', 'Answers HEAD'],
  ['loopbackAuthToken', 'The loopback sign-in sends a token'],
  ['successorCreates', 'The next generation creates sites'],
  ['successorNeedsKeyId', 'The next generation accepts listed keys alone'],
] as const;

async function asked(change: Readonly<Record<string, unknown>> | undefined): Promise<Control> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) };
  const answer = await fetch('/console/hosted', change === undefined ? {} : sent);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return Control.parse(await answer.json());
}

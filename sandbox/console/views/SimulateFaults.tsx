import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Content } from '@adobe/react-spectrum/Content';
import { Dialog } from '@adobe/react-spectrum/Dialog';
import { DialogTrigger } from '@adobe/react-spectrum/DialogTrigger';
import { Divider } from '@adobe/react-spectrum/Divider';
import { Heading } from '@adobe/react-spectrum/Heading';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { Settings } from '../settings.ts';
import { Switch } from '@adobe/react-spectrum/Switch';

/** Injects faults into the systems around the service, to see how the extension handles them. */
export function SimulateFaults({ systems, hosted }: { readonly systems: Settings['systems']; readonly hosted: true | undefined }) {
  return (
    <DialogTrigger type="popover">
      <ActionButton isQuiet>Simulate faults</ActionButton>
      <Dialog>
        <Heading>Simulate faults</Heading>
        <Divider />
        <Content>
          <p>Break a stand-in and see how the extension reacts.</p>
          <div className="stands">
            {systems.map((system) => (
              <SystemFault key={system.id} id={system.id} title={system.title} />
            ))}
            {hosted === true && <HostedBehavior />}
          </div>
        </Content>
      </Dialog>
    </DialogTrigger>
  );
}

function SystemFault({ id, title }: { readonly id: string; readonly title: string }) {
  const [fault, change] = useFault(id);
  if (fault.state === 'failed') return <p role="alert">{`${title}: ${fault.sentence}`}</p>;
  return (
    <Picker
      label={title}
      items={FAULTS}
      width="100%"
      isDisabled={fault.state === 'loading'}
      selectedKey={fault.state === 'ready' ? fault.mode : null}
      onSelectionChange={(mode) => change(String(mode))}
    >
      {(item) => <Item key={item.id}>{item.title}</Item>}
    </Picker>
  );
}

type FaultState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'ready'; readonly mode: string };

/** The fault of one stand-in, and a function to change it. */
function useFault(system: string): [FaultState, (mode: string) => void] {
  const [fault, setFault] = useState<FaultState>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    void settled(readFault(system)).then((found) => {
      if (!gone) setFault(found);
    });
    return () => {
      gone = true;
    };
  }, [system]);
  return [fault, (mode) => void settled(provoke(system, mode)).then(setFault)];
}

async function settled(request: Promise<string>): Promise<FaultState> {
  try {
    return { state: 'ready', mode: await request };
  } catch (error) {
    return { state: 'failed', sentence: error instanceof Error ? error.message : 'Couldn’t reach this stand-in.' };
  }
}

/** The faults that a stand-in can have (sandbox/faults.ts), as named in the interface. */
const FAULTS = [
  { id: 'none', title: 'Works' },
  { id: 'down', title: 'Down' },
  { id: 'unavailable', title: 'Answers 503' },
  { id: 'slow', title: 'Slow (a minute)' },
  { id: 'forbidden', title: 'Answers 403' },
  { id: 'unauthorized', title: 'Answers 401' },
  { id: 'limited', title: 'Answers 429' },
  { id: 'alternatives', title: 'Too many resources (300)' },
] as const;

const Fault = z.looseObject({ mode: z.string() });

/** The current fault of a stand-in. Rejects with a message if it cannot be read. */
async function readFault(system: string): Promise<string> {
  return modeOf(await fetch(address(system)));
}

async function provoke(system: string, mode: string): Promise<string> {
  const body = JSON.stringify({ mode });
  return modeOf(await fetch(address(system), { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
}

async function modeOf(answer: Response): Promise<string> {
  if (!answer.ok) throw new Error('Couldn’t reach this stand-in. Is the sandbox still running?');
  return Fault.parse(await answer.json()).mode;
}

function address(system: string): string {
  return `/console/faults/${system}`;
}

const Control = z.object({ switches: z.record(z.string(), z.unknown()), violations: z.array(z.string()) });

type Control = z.infer<typeof Control>;

/**
 * Switches for behaviors of the hosted service that are not certain from outside: its stand-in does one or the other
 * (sandbox/hosted/switches.ts).
 */
function HostedBehavior() {
  const [control, setControl] = useState<Control | 'failed'>();
  const update = (change?: Readonly<Record<string, unknown>>): void =>
    void requestControl(change).then(setControl, () => setControl('failed'));
  useEffect(() => update(), []);
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
          onSelectionChange={(key) => update({ [id]: values.find(([value]) => String(value) === key)?.[0] })}
        >
          {(item) => <Item key={item.id}>{item.name}</Item>}
        </Picker>
      ))}
      {TOGGLES.map(([id, title]) => (
        <Switch key={id} isSelected={switches[id] === true} onChange={(isOn) => update({ [id]: isOn })}>
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
  ['sourceAlone', 'Accepts code with only its source'],
  ['wholePostDropsKeys', 'A complete POST without keys removes them'],
  ['wholePostBreaksKeys', 'A complete POST breaks the values of keys'],
  ['versionsNameUser', 'Versions name their author'],
  ['versionsSurviveDelete', 'Versions survive the site'],
  ['syncsExternal', 'Syncs external repositories'],
  ['hlxignoreRefused', 'The git vendor refuses the secret'],
  ['robotsText', 'robots.txt accepts text'],
  ['head', 'Answers HEAD'],
  ['loopbackAuthToken', 'The loopback sign-in sends a token'],
  ['successorCreates', 'The next generation creates sites'],
  ['successorNeedsKeyId', 'The next generation accepts only listed keys'],
] as const;

async function requestControl(change: Readonly<Record<string, unknown>> | undefined): Promise<Control> {
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) };
  const answer = await fetch('/console/hosted', change === undefined ? {} : sent);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return Control.parse(await answer.json());
}

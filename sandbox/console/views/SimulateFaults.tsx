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
import { HostedBehavior } from './HostedBehavior.tsx';

/** Injects faults into the systems around the service, to see how the extension handles them. */
export function SimulateFaults({ stands, hosted }: { readonly stands: Settings['stands']; readonly hosted: true | undefined }) {
  return (
    <DialogTrigger type="popover">
      <ActionButton isQuiet>Simulate faults</ActionButton>
      <Dialog>
        <Heading>Simulate faults</Heading>
        <Divider />
        <Content>
          <p>Break a stand-in and see how the extension reacts.</p>
          <div className="stands">
            {stands.map((stand) => (
              <Stand key={stand.id} id={stand.id} title={stand.title} />
            ))}
            {hosted === true && <HostedBehavior />}
          </div>
        </Content>
      </Dialog>
    </DialogTrigger>
  );
}

function Stand({ id, title }: { readonly id: string; readonly title: string }) {
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
function useFault(stand: string): [FaultState, (mode: string) => void] {
  const [fault, setFault] = useState<FaultState>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    void settled(readFault(stand)).then((found) => {
      if (!gone) setFault(found);
    });
    return () => {
      gone = true;
    };
  }, [stand]);
  return [fault, (mode) => void settled(provoke(stand, mode)).then(setFault)];
}

async function settled(asked: Promise<string>): Promise<FaultState> {
  try {
    return { state: 'ready', mode: await asked };
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

/** The present fault of a stand-in. Rejects with a message if it cannot be read. */
async function readFault(stand: string): Promise<string> {
  return modeOf(await fetch(address(stand)));
}

async function provoke(stand: string, mode: string): Promise<string> {
  const body = JSON.stringify({ mode });
  return modeOf(await fetch(address(stand), { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
}

async function modeOf(answer: Response): Promise<string> {
  if (!answer.ok) throw new Error('Couldn’t reach this stand-in. Is the sandbox still running?');
  return Fault.parse(await answer.json()).mode;
}

function address(stand: string): string {
  return `/console/faults/${stand}`;
}

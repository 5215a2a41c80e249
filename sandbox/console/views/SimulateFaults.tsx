import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Content } from '@adobe/react-spectrum/Content';
import { Dialog } from '@adobe/react-spectrum/Dialog';
import { DialogTrigger } from '@adobe/react-spectrum/DialogTrigger';
import { Divider } from '@adobe/react-spectrum/Divider';
import { Heading } from '@adobe/react-spectrum/Heading';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { FAULTS } from '../simulate-faults/faults.ts';
import { useFault } from '../simulate-faults/use-fault.ts';
import type { Settings } from '../settings.ts';

/** Puts the programs around the service into trouble, to see how the extension copes. */
export function SimulateFaults({ stands }: { readonly stands: Settings['stands'] }) {
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

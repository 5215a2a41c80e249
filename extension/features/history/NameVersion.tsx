import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { VersionChange } from '@repoless/core/history/version-store.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { FailureNotice, Status } from '../../ui/Notice.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { SubmitForm } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

type Saving = { readonly state: 'idle' | 'saving' } | VersionChange;

/** The service's limit on the length of a name. */
const MAX_LENGTH = 200;

export function NameVersion({ name, onSave }: { readonly name: string; readonly onSave: (name: string) => Promise<VersionChange> }) {
  const { naming } = useMessages('history');
  const [text, setText] = useState(name);
  const [saving, setSaving] = useState<Saving>({ state: 'idle' });
  useUnsavedEntry(text.trim() !== name && saving.state !== 'done', 'place', saving.state === 'saving' ? 'saving' : 'unsaved');
  const save = async (): Promise<void> => {
    setSaving({ state: 'saving' });
    setSaving(await onSave(text.trim()));
  };
  return (
    <>
      <SubmitForm onSubmit={save}>
        <TextField
          label={naming.label}
          description={naming.help}
          value={text}
          onChange={(next) => {
            setText(next);
            if (saving.state === 'done') setSaving({ state: 'idle' });
          }}
          maxLength={MAX_LENGTH}
          width="100%"
          autoComplete="off"
        />
        <div className="rp-actions">
          <TextButton type="submit" isDisabled={saving.state === 'saving' || text.trim() === name} text={naming.save} />
          <Status as="span">{saving.state === 'done' ? naming.saved : ''}</Status>
        </div>
      </SubmitForm>
      {(saving.state === 'refused' || saving.state === 'lost') && (
        <FailureNotice title={saving.state === 'lost' ? naming.uncertain : naming.failed} failure={saving.failure} hasFields />
      )}
    </>
  );
}

interface RemoveVersionProps {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly onRemove: () => Promise<VersionChange>;
}

type Removing = { readonly state: 'idle' | 'requested' | 'running' } | Exclude<VersionChange, { state: 'done' }>;

export function RemoveVersion({ version, isCurrent, onRemove }: RemoveVersionProps) {
  const { remove } = useMessages('history');
  const [state, setState] = useState<Removing>({ state: 'idle' });
  const heading = useFocusOnArrival<HTMLHeadingElement>(state.state === 'requested' ? state : undefined);
  const failed = useFocusOnArrival<HTMLDivElement>('failure' in state ? state : undefined);
  const [button, focusBack] = useFocusBack();
  const run = async (): Promise<void> => {
    setState({ state: 'running' });
    const change = await onRemove();
    if (change.state !== 'done') setState(change);
  };
  if (isCurrent) return <p className="rp-quiet">{remove.isCurrent}</p>;
  if (state.state !== 'requested' && state.state !== 'running') {
    return (
      <>
        {(state.state === 'refused' || state.state === 'lost') && (
          <FailureNotice title={state.state === 'lost' ? remove.uncertain : remove.failed} failure={state.failure} focus={failed} />
        )}
        <div>
          <ActionButton ref={button} onPress={() => setState({ state: 'requested' })}>
            {remove.openOf({ version })}
          </ActionButton>
        </div>
      </>
    );
  }
  return (
    <div className="rp-restore">
      <h3 tabIndex={-1} ref={heading}>
        {remove.title({ version })}
      </h3>
      <p>{remove.text}</p>
      <div className="rp-actions">
        <TextButton variant="negative" isDisabled={state.state === 'running'} onPress={() => void run()} text={remove.now({ version })} />
        <TextButton
          onPress={() => {
            setState({ state: 'idle' });
            focusBack();
          }}
          text={remove.cancel}
        />
      </div>
    </div>
  );
}

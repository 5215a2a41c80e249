import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import type { VersionChange } from '@repoless/core/history/change-versions.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly name: string;
  readonly onSave: (name: string) => Promise<VersionChange>;
}

type Saving = { readonly state: 'idle' | 'saving' } | VersionChange;

/** The longest name that the service takes. */
const LONGEST = 200;

/** Gives a version a name by which it is found again. */
export function NameVersion({ name, onSave }: Props) {
  const messages = useMessages();
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
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={naming.label}
          description={naming.help}
          value={text}
          onChange={(next) => {
            setText(next);
            if (saving.state === 'done') setSaving({ state: 'idle' });
          }}
          maxLength={LONGEST}
          width="100%"
          autoComplete="off"
        />
        <div className="rp-actions">
          <Button variant="secondary" type="submit" isDisabled={saving.state === 'saving' || text.trim() === name}>
            {naming.save}
          </Button>
          <span className="rp-quiet" role="status">
            {saving.state === 'done' ? naming.saved : ''}
          </span>
        </div>
      </Form>
      {(saving.state === 'refused' || saving.state === 'lost') && (
        <Explanation
          title={saving.state === 'lost' ? naming.uncertain : naming.failed}
          explained={explainFailure(messages, saving.failure)}
          details={fieldSentences(saving.failure)}
        />
      )}
    </>
  );
}

import { Button } from '@adobe/react-spectrum/Button';
import { ButtonGroup } from '@adobe/react-spectrum/ButtonGroup';
import { Form } from '@adobe/react-spectrum/Form';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import { EDGE_FIELDS } from '@repoless/contract/edge-fields.ts';
import type { EdgeValues } from '../authoring/page-properties.ts';

interface EdgeSettingsFormProps {
  readonly values: EdgeValues;
  /** True from the save until the page is read again. */
  readonly isSaved: boolean;
  /** Rejects with the sentence of the authoring system. */
  onSave(values: EdgeValues): Promise<void>;
  onCancel(): void;
}

/** The dialog of an author. It checks nothing, as the real one: what the extension says of wrong values can be tried. */
export function EdgeSettingsForm({ values, isSaved, onSave, onCancel }: EdgeSettingsFormProps) {
  const [draft, setDraft] = useState(values);
  const [saving, setSaving] = useState<{ readonly refused?: string }>();
  const isBusy = isSaved || (saving !== undefined && saving.refused === undefined);
  const set = (change: Partial<EdgeValues>) => setDraft((before) => ({ ...before, ...change }));
  const save = () => {
    setSaving({});
    onSave(draft).catch((error: unknown) => {
      setSaving({ refused: error instanceof Error ? error.message : 'The authoring system does not respond.' });
    });
  };
  return (
    <Form
      aria-label="Edge Delivery configuration"
      maxWidth="size-4600"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <>
        {EDGE_FIELDS.map(({ key, label, description, options }) =>
          options === undefined ? (
            <TextField
              key={key}
              label={label}
              {...(description === undefined ? {} : { description })}
              value={draft[key] ?? ''}
              onChange={(value) => set({ [key]: value })}
            />
          ) : (
            <Picker
              key={key}
              label={label}
              items={options}
              width="100%"
              autoFocus
              placeholder="Not set"
              selectedKey={draft[key] ?? null}
              onSelectionChange={(chosen) => set({ [key]: String(chosen) })}
            >
              {(option) => <Item key={option.id}>{option.title}</Item>}
            </Picker>
          ),
        )}
      </>
      <div role="alert" className="refusal">
        {saving?.refused}
      </div>
      <ButtonGroup marginTop="size-200">
        <Button variant="accent" type="submit" isPending={isBusy}>
          Save
        </Button>
        <Button variant="secondary" onPress={onCancel} isDisabled={isBusy}>
          Cancel
        </Button>
      </ButtonGroup>
    </Form>
  );
}

import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import { ButtonGroup } from '@adobe/react-spectrum/ButtonGroup';
import { Form } from '@adobe/react-spectrum/Form';
import { Heading } from '@adobe/react-spectrum/Heading';
import { LabeledValue } from '@adobe/react-spectrum/LabeledValue';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { TextField } from '@adobe/react-spectrum/TextField';
import { EDGE_FIELDS, REPOLESS_PROJECT_TYPE } from '@repoless/contract/edge-fields.ts';
import { useState } from 'react';
import { type EdgeSettings, type EdgeValues, type PageProperties, projectTypeTitle } from '../authoring/page-properties.ts';

interface EdgeSettingsSectionProps {
  readonly properties: PageProperties;
  onSave(before: EdgeSettings, values: EdgeValues): Promise<void>;
  /** Called when the page has to be read again. */
  onSaved(): void;
}

/** The effective Edge Delivery configuration: editable if it belongs to the page itself. */
export function EdgeSettingsSection({ properties, onSave, onSaved }: EdgeSettingsSectionProps) {
  const { edge } = properties;
  const [draft, setDraft] = useState<{ readonly of: EdgeSettings; readonly state: 'open' | 'saved' | 'cancelled' }>();
  const inherited = inheritance(properties);
  // A saved form stays until its values have been read again: the old values are not shown in between.
  const isOpen = draft !== undefined && (draft.state === 'open' || (draft.state === 'saved' && draft.of === edge));
  return (
    <section aria-label="Edge Delivery configuration">
      <div className="section-header">
        <Heading level={3}>Edge Delivery configuration</Heading>
        {edge !== undefined && inherited === undefined && !isOpen && (
          // Focus returns to where it was before the form.
          <ActionButton autoFocus={draft !== undefined} onPress={() => setDraft({ of: edge, state: 'open' })}>
            Edit
          </ActionButton>
        )}
      </div>
      {edge === undefined && <p>This page has none.</p>}
      {edge !== undefined && isOpen && (
        <EdgeSettingsForm
          values={edge}
          isSaved={draft.state === 'saved'}
          onSave={async (values) => {
            await onSave(edge, values);
            setDraft({ of: edge, state: 'saved' });
            onSaved();
          }}
          onCancel={() => setDraft({ of: edge, state: 'cancelled' })}
        />
      )}
      {edge !== undefined && !isOpen && (
        <>
          {inherited !== undefined && <p>{inherited}</p>}
          {draft?.state === 'saved' && <p role="status">Saved.</p>}
          <Values edge={edge} />
        </>
      )}
    </section>
  );
}

function Values({ edge }: { readonly edge: EdgeSettings }) {
  return (
    <>
      <StatusLight
        variant={edge.projectType === REPOLESS_PROJECT_TYPE ? 'positive' : 'notice'}
        UNSAFE_className="project-type"
        marginBottom="size-150"
      >
        {projectTypeTitle(edge.projectType)}
      </StatusLight>
      <div className="fields">
        <LabeledValue label="Project type" value={edge.projectType ?? NOT_SET} />
        <LabeledValue label="Organization" value={edge.organization ?? NOT_SET} />
        <LabeledValue label="Site name" value={edge.siteName ?? NOT_SET} />
        <LabeledValue label="Technical account" value={edge.technicalAccount ?? NOT_SET} />
        <LabeledValue label="Read from" value={edge.path} />
      </div>
    </>
  );
}

const NOT_SET = 'not set';

/** Where the values come from, and where they can be edited; undefined if they belong to the page itself. */
function inheritance({ path, cloudConfiguration, edge }: PageProperties): string | undefined {
  if (cloudConfiguration === undefined || edge === undefined) return undefined;
  if (cloudConfiguration.path !== edge.path)
    return `Inherited: ${cloudConfiguration.path} has no Edge Delivery configuration of its own, so that of ${edge.path} applies. Edit it at the page that selects ${edge.path}.`;
  if (cloudConfiguration.setBy !== path)
    return `Inherited from ${cloudConfiguration.setBy}. Select that page in the content tree to edit these values.`;
  return undefined;
}

interface EdgeSettingsFormProps {
  readonly values: EdgeValues;
  /** True from saving until the page is read again. */
  readonly isSaved: boolean;
  /** Rejects with the message of the authoring system. */
  onSave(values: EdgeValues): Promise<void>;
  onCancel(): void;
}

/** An author's dialog. Like the real one it validates nothing, so that the extension's messages about wrong values can be tried. */
function EdgeSettingsForm({ values, isSaved, onSave, onCancel }: EdgeSettingsFormProps) {
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

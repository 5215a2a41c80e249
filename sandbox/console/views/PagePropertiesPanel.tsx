import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Heading } from '@adobe/react-spectrum/Heading';
import { LabeledValue } from '@adobe/react-spectrum/LabeledValue';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { type EdgeSettings, type EdgeValues, type PageProperties, type PageState, projectTypeTitle } from '../authoring/page-properties.ts';
import { Notice } from './Notice.tsx';
import { Button } from '@adobe/react-spectrum/Button';
import { ButtonGroup } from '@adobe/react-spectrum/ButtonGroup';
import { Form } from '@adobe/react-spectrum/Form';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { TextField } from '@adobe/react-spectrum/TextField';
import { EDGE_FIELDS, REPOLESS_PROJECT_TYPE } from '@repoless/contract/edge-fields.ts';
import { useState } from 'react';

interface PageActions {
  /** Rejects with the message of the authoring system. */
  onSave(before: EdgeSettings, values: EdgeValues): Promise<void>;
  onReload(): void;
  /** The focus returns to the button that opened the editor. */
  readonly wasInEditor: boolean;
  onOpenEditor(path: string): void;
  /** Scheme and host of the author. */
  readonly author: string;
}

/** The authoring system's own view of a page, which shows what the extension changes, and lets people change it. */
export function PagePropertiesPanel({ page, ...actions }: PageActions & { readonly page: PageState }) {
  switch (page.state) {
    case 'none':
      return (
        <Notice
          title="No page selected"
          sentence="Select a page in the content tree to see its properties, for example the root of a site."
        />
      );
    case 'loading':
      return <ProgressCircle isIndeterminate aria-label="Reading the page properties" margin="size-400" />;
    case 'missing':
      return <Notice title="Page not found" sentence="This environment has no page at that path." />;
    case 'failed':
      return <Notice title="Couldn’t read the page" sentence={page.sentence} action={{ label: 'Try again', onPress: actions.onReload }} />;
    case 'ready':
      return <Properties properties={page.properties} actions={actions} />;
    default:
      return page satisfies never;
  }
}

function Properties({ properties, actions }: { readonly properties: PageProperties; readonly actions: PageActions }) {
  const { cloudConfiguration } = properties;
  const inherited = cloudConfiguration !== undefined && cloudConfiguration.setBy !== properties.path;
  return (
    <article className="properties" aria-label="Page properties">
      <div className="section-header">
        <Heading level={2}>{properties.title}</Heading>
        <div className="header-actions">
          {/* The content package's script listens for its click; a React Spectrum button would stop the event. */}
          <button
            type="button"
            className="quiet-button"
            data-repoless-view="page-properties"
            data-repoless-path={properties.path}
            data-repoless-author={actions.author}
          >
            Setup in a new window
          </button>
          <ActionButton autoFocus={actions.wasInEditor} onPress={() => actions.onOpenEditor(properties.path)}>
            Open in the editor
          </ActionButton>
        </div>
      </div>
      <p className="quiet">{properties.path}</p>
      <section>
        <Heading level={3}>Basic</Heading>
        <div className="fields">
          <Field label="Template" value={properties.template} />
          <Field label="Language" value={properties.language} />
          {properties.liveCopyOf !== undefined && <Field label="Live copy of" value={properties.liveCopyOf} />}
        </div>
      </section>
      <section>
        <Heading level={3}>Cloud configuration</Heading>
        <div className="fields">
          <Field label="Configuration in force" value={cloudConfiguration?.path} />
          <Field label="Set by" value={inherited ? `inherited from ${cloudConfiguration.setBy}` : cloudConfiguration && 'this page'} />
        </div>
      </section>
      <EdgeSettingsSection properties={properties} onSave={actions.onSave} onSaved={actions.onReload} />
    </article>
  );
}

function Field({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return <LabeledValue label={label} value={value ?? 'not set'} />;
}

interface EdgeSettingsSectionProps {
  readonly properties: PageProperties;
  onSave(before: EdgeSettings, values: EdgeValues): Promise<void>;
  /** Called when the page has to be read again. */
  onSaved(): void;
}

/** The effective Edge Delivery configuration: editable if it belongs to the page itself. */
function EdgeSettingsSection({ properties, onSave, onSaved }: EdgeSettingsSectionProps) {
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

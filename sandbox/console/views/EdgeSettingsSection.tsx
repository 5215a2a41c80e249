import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Heading } from '@adobe/react-spectrum/Heading';
import { LabeledValue } from '@adobe/react-spectrum/LabeledValue';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { useState } from 'react';
import type { EdgeSettings, EdgeValues, PageProperties } from '../authoring/page-properties.ts';
import { REPOLESS_PROJECT_TYPE } from '@repoless/contract/edge-fields.ts';
import { projectTypeTitle } from '../authoring/project-types.ts';
import { EdgeSettingsForm } from './EdgeSettingsForm.tsx';

interface EdgeSettingsSectionProps {
  readonly properties: PageProperties;
  onSave(before: EdgeSettings, values: EdgeValues): Promise<void>;
  /** The page is to be read again. */
  onSaved(): void;
}

/** The Edge Delivery configuration in force: editable where the page has it by itself. */
export function EdgeSettingsSection({ properties, onSave, onSaved }: EdgeSettingsSectionProps) {
  const { edge } = properties;
  const [draft, setDraft] = useState<{ readonly of: EdgeSettings; readonly state: 'open' | 'saved' | 'cancelled' }>();
  const inherited = inheritance(properties);
  // A form that was saved stays until what it saved was read again: the old values are not shown in between.
  const isOpen = draft !== undefined && (draft.state === 'open' || (draft.state === 'saved' && draft.of === edge));
  return (
    <section aria-label="Edge Delivery configuration">
      <div className="section-header">
        <Heading level={3}>Edge Delivery configuration</Heading>
        {edge !== undefined && inherited === undefined && !isOpen && (
          // Focus comes back to where it was before the form.
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

/** Where the values come from, and where they can be edited; undefined where the page has them by itself. */
function inheritance({ path, cloudConfiguration, edge }: PageProperties): string | undefined {
  if (cloudConfiguration === undefined || edge === undefined) return undefined;
  if (cloudConfiguration.path !== edge.path)
    return `Inherited: ${cloudConfiguration.path} has no Edge Delivery configuration of its own, so that of ${edge.path} applies. Edit it at the page that selects ${edge.path}.`;
  if (cloudConfiguration.setBy !== path)
    return `Inherited from ${cloudConfiguration.setBy}. Select that page in the content tree to edit these values.`;
  return undefined;
}

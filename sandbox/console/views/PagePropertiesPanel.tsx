import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Heading } from '@adobe/react-spectrum/Heading';
import { LabeledValue } from '@adobe/react-spectrum/LabeledValue';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { EdgeSettings, EdgeValues, PageProperties, PageState } from '../authoring/page-properties.ts';
import { EdgeSettingsSection } from './EdgeSettingsSection.tsx';
import { Notice } from './Notice.tsx';

interface PageActions {
  /** Rejects with the message of the authoring system. */
  onSave(before: EdgeSettings, values: EdgeValues): Promise<void>;
  onReadAgain(): void;
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
      return (
        <Notice title="Couldn’t read the page" sentence={page.sentence} action={{ label: 'Try again', onPress: actions.onReadAgain }} />
      );
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
      <EdgeSettingsSection properties={properties} onSave={actions.onSave} onSaved={actions.onReadAgain} />
    </article>
  );
}

function Field({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return <LabeledValue label={label} value={value ?? 'not set'} />;
}

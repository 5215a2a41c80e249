import { Heading } from '@adobe/react-spectrum/Heading';
import { LabeledValue } from '@adobe/react-spectrum/LabeledValue';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import type { PageProperties } from '../authoring/page-properties.ts';
import type { PageState } from '../authoring/use-page-properties.ts';
import { Notice } from './Notice.tsx';

/** The authoring system's own view of a page: read-only here, so that what the extension changes can be seen. */
export function PagePropertiesPanel({ page, onRetry }: { readonly page: PageState; onRetry(): void }) {
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
      return <Notice title="No such page" sentence="This environment has no page at that path." />;
    case 'failed':
      return <Notice title="The page cannot be read" sentence={page.sentence} action={{ label: 'Try again', onPress: onRetry }} />;
    case 'ready':
      return <Properties properties={page.properties} />;
    default:
      return page satisfies never;
  }
}

function Properties({ properties }: { readonly properties: PageProperties }) {
  const { cloudConfiguration, edge } = properties;
  const inherited = cloudConfiguration !== undefined && cloudConfiguration.setBy !== properties.path;
  return (
    <article className="properties" aria-label="Page properties">
      <Heading level={2}>{properties.title}</Heading>
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
      <section aria-label="Edge Delivery configuration">
        <Heading level={3}>Edge Delivery configuration</Heading>
        {edge === undefined ? (
          <p>There is none for this page.</p>
        ) : (
          <>
            <StatusLight
              variant={edge.projectType === REPOLESS ? 'positive' : 'notice'}
              UNSAFE_className="project-type"
              marginBottom="size-150"
            >
              {projectTypeTitle(edge.projectType)}
            </StatusLight>
            <div className="fields">
              <Field label="Project type" value={edge.projectType} />
              <Field label="Organization" value={edge.organization} />
              <Field label="Site name" value={edge.siteName} />
              <Field label="Technical account" value={edge.technicalAccount} />
              <Field label="Read from" value={edge.path} />
            </div>
          </>
        )}
      </section>
    </article>
  );
}

function Field({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return <LabeledValue label={label} value={value ?? 'not set'} />;
}

/** The value that means repoless in the sandbox (REPOLESS_PROJECT_TYPE of the backend). */
const REPOLESS = '4';

function projectTypeTitle(projectType: string | undefined): string {
  if (projectType === undefined) return 'No project type is set';
  return projectType === REPOLESS ? 'Edge Delivery with repoless configuration' : 'Edge Delivery with a repository of its own';
}

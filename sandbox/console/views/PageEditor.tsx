import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Heading } from '@adobe/react-spectrum/Heading';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { PageProperties } from '../authoring/page-properties.ts';
import type { Author } from '../authoring/sling.ts';
import { type EditedPage, type NotServed, useEditedPage, WHITE_PAGE } from '../editor/use-edited-page.ts';
import type { Settings } from '../settings.ts';

interface PageEditorProps {
  readonly author: Author;
  readonly settings: Settings;
  readonly properties: PageProperties;
  onClose(): void;
}

/** The page editor's view of a page: the page, or a white page if a file that it needs is not served. */
export function PageEditor({ author, settings, properties, onClose }: PageEditorProps) {
  const page = useEditedPage(author, settings, properties);
  return (
    <article className="editor" aria-label="Page editor">
      <div className="section-header">
        <Heading level={2}>{properties.title}</Heading>
        <ActionButton autoFocus onPress={onClose}>
          Back to the properties
        </ActionButton>
      </div>
      <Edited page={page} />
    </article>
  );
}

function Edited({ page }: { readonly page: EditedPage }) {
  switch (page.state) {
    case 'loading':
      return <ProgressCircle isIndeterminate aria-label="Opening the page in the editor" margin="size-400" />;
    case 'unopened':
      return <p role="status">{page.sentence}</p>;
    case 'white':
      return (
        <>
          <WhyWhite files={page.files} />
          <Frame document={WHITE_PAGE} />
        </>
      );
    case 'shown':
      return <Frame document={page.document} />;
    default:
      return page satisfies never;
  }
}

/** No script, no form, no origin: author content cannot reach the console. */
function Frame({ document }: { readonly document: string }) {
  return <iframe className="editor-frame" title="Page in the editor" sandbox="" srcDoc={document} />;
}

function WhyWhite({ files }: { readonly files: readonly NotServed[] }) {
  return (
    <section className="why-white" role="status">
      <Heading level={3}>The editor shows a white page</Heading>
      <p>Note of the sandbox: the editor needs these files and doesn’t get them. The real editor shows only the white page.</p>
      <ul>
        {files.map(({ address, status }) => (
          <li key={address}>
            <code>{address}</code> {status === undefined ? 'does not respond' : `answers ${status}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

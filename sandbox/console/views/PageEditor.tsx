import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Heading } from '@adobe/react-spectrum/Heading';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { EdgeSettings, PageProperties, Author } from '../authoring/page-properties.ts';
import type { Settings } from '../settings.ts';
import { REPOLESS_PROJECT_TYPE } from '@repoless/contract/edge-fields.ts';
import { useEffect, useState } from 'react';

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

type EditedPage =
  | { readonly state: 'loading' }
  | { readonly state: 'unopened'; readonly sentence: string }
  | { readonly state: 'white'; readonly files: readonly NotServed[] }
  | { readonly state: 'shown'; readonly document: string };

/** What the editor shows of a page. */
function useEditedPage(author: Author, settings: Settings, properties: PageProperties): EditedPage {
  const [found, setFound] = useState<{ readonly of: PageProperties; readonly page: EditedPage }>();
  useEffect(() => {
    let gone = false;
    const show = (page: EditedPage) => {
      if (!gone) setFound({ of: properties, page });
    };
    open(author, settings, properties).then(show, () => show({ state: 'unopened', sentence: 'The authoring system does not respond.' }));
    return () => {
      gone = true;
    };
  }, [author, settings, properties]);
  return found?.of === properties ? found.page : { state: 'loading' };
}

async function open(author: Author, settings: Settings, { path, edge }: PageProperties): Promise<EditedPage> {
  if (edge === undefined)
    return { state: 'unopened', sentence: 'The page has no Edge Delivery configuration that says where its code is.' };
  const location = locationOfFiles(edge, settings);
  if (location === undefined)
    return {
      state: 'unopened',
      sentence: 'The Edge Delivery configuration has no organization or no site name, so nothing says where its code is.',
    };
  const files = await readEditorFiles(location);
  if (files.state === 'missing') return { state: 'white', files: files.files };
  const { organization = '', siteName = '', ref } = edge;
  const delivery = `/bin/franklin.delivery/${organization}/${siteName}/${ref}${path}.html`;
  const answer = await fetch(`/author/${author.environment.id}${encodeURI(delivery)}`, {
    headers: { authorization: `Bearer ${author.token}` },
  });
  const text = await answer.text();
  if (answer.status !== 200)
    return {
      state: 'unopened',
      sentence: `The editor files are served. The delivery address of the page answers ${answer.status}: ${text.trim()}`,
    };
  return { state: 'shown', document: framedPage(text, files.head, `${location.address}/`) };
}

/** Files that the editor requires. */
const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'] as const;

/** The location of the editor files. */
interface FilesLocation {
  /** As shown, and as the base of the page's relative addresses. */
  readonly address: string;
  /** The address that this page requests. */
  readonly requested: string;
}

interface NotServed {
  readonly address: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
}

type EditorFiles =
  { readonly state: 'served'; readonly head: string } | { readonly state: 'missing'; readonly files: readonly NotServed[] };

/** Repoless: the preview host derived from organization and site name. Otherwise: the repository that they name. */
function locationOfFiles(edge: EdgeSettings, settings: Settings): FilesLocation | undefined {
  const { organization, siteName, ref } = edge;
  if (organization === undefined || siteName === undefined) return undefined;
  if (edge.projectType !== REPOLESS_PROJECT_TYPE) {
    const address = `${settings.codeHost}/raw/${encodeURIComponent(organization)}/${encodeURIComponent(siteName)}/${encodeURIComponent(ref)}`;
    return { address, requested: address };
  }
  const label = `${ref}--${siteName}--${organization}`.toLowerCase();
  return { address: `http://${label}.${settings.previewDomain}`, requested: `/preview/${encodeURIComponent(label)}` };
}

/** Requests all of them without a token, as the editor does. */
async function readEditorFiles(location: FilesLocation): Promise<EditorFiles> {
  const read = await Promise.all(EDITOR_FILES.map((name) => readFile(location, name)));
  const files = read.flatMap(({ address, status }) => (status === 200 ? [] : [{ address, status }]));
  return files.length > 0 ? { state: 'missing', files } : { state: 'served', head: read.at(-1)?.text ?? '' };
}

async function readFile(location: FilesLocation, name: string): Promise<NotServed & { readonly text: string }> {
  const address = `${location.address}/${name}`;
  try {
    const answer = await fetch(`${location.requested}/${name}`, { credentials: 'omit' });
    return { address, status: answer.status, text: await answer.text() };
  } catch {
    return { address, status: undefined, text: '' };
  }
}

/** The editor's white page: nothing at all. */
const WHITE_PAGE = '<!doctype html>';

/**
 * A delivered page for a frame in which nothing runs: with the head of its code, and addresses resolved as on its own host. Scripts are
 * removed because the frame would refuse them one by one.
 */
function framedPage(markup: string, head: string, base: string): string {
  const page = new DOMParser().parseFromString(markup, 'text/html');
  page.head.insertAdjacentHTML('beforeend', head);
  for (const script of page.querySelectorAll('script')) script.remove();
  const element = page.createElement('base');
  element.href = base;
  page.head.prepend(element);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

import { REPOLESS_PROJECT_TYPE } from '@repoless/contract/edge-fields.ts';
import type { EdgeSettings } from '../authoring/page-properties.ts';
import type { Settings } from '../settings.ts';

/** Files that the editor cannot do without. */
const EDITOR_FILES = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'] as const;

/** Where the editor looks for them. */
export interface FilePlace {
  /** As it is shown, and as the page resolves its own addresses. */
  readonly address: string;
  /** As this page asks for it. */
  readonly asked: string;
}

export interface NotServed {
  readonly address: string;
  /** Undefined where nobody answered. */
  readonly status: number | undefined;
}

export type EditorFiles =
  { readonly state: 'served'; readonly head: string } | { readonly state: 'missing'; readonly files: readonly NotServed[] };

/** Repoless: the preview host that organization and site name make up. Else: the repository that they name. */
export function placeOfFiles(edge: EdgeSettings, settings: Settings): FilePlace | undefined {
  const { organization, siteName, ref } = edge;
  if (organization === undefined || siteName === undefined) return undefined;
  if (edge.projectType !== REPOLESS_PROJECT_TYPE) {
    const address = `${settings.codeHost}/raw/${encodeURIComponent(organization)}/${encodeURIComponent(siteName)}/${encodeURIComponent(ref)}`;
    return { address, asked: address };
  }
  const label = `${ref}--${siteName}--${organization}`.toLowerCase();
  return { address: `http://${label}.${settings.previewDomain}`, asked: `/preview/${encodeURIComponent(label)}` };
}

/** Asks for all of them, without anybody's token, as the editor does. */
export async function readEditorFiles(place: FilePlace): Promise<EditorFiles> {
  const read = await Promise.all(EDITOR_FILES.map((name) => readFile(place, name)));
  const files = read.flatMap(({ address, status }) => (status === 200 ? [] : [{ address, status }]));
  return files.length > 0 ? { state: 'missing', files } : { state: 'served', head: read.at(-1)?.text ?? '' };
}

async function readFile(place: FilePlace, name: string): Promise<NotServed & { readonly text: string }> {
  const address = `${place.address}/${name}`;
  try {
    const answer = await fetch(`${place.asked}/${name}`, { credentials: 'omit' });
    return { address, status: answer.status, text: await answer.text() };
  } catch {
    return { address, status: undefined, text: '' };
  }
}

import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { Site } from '@repoless/contract/site.ts';
import { HOST_ANSWERS } from '@repoless/contract/status.ts';
import type { EditStatus } from '@repoless/contract/status.ts';
import type { PathFound } from './path-look.ts';

interface EditedPath {
  readonly org: string;
  readonly site: string;
  readonly path: string;
}

/** The document behind a path. `found`: what the hosts have there; undefined where the caller may not know. */
export function editOf(place: EditedPath, config: Site, found: PathFound | undefined): EditStatus {
  const status = statusOf(found);
  const source = config.content?.source.url;
  const url = status === HOST_ANSWERS.missing ? undefined : editUrl({ ...place, path: documentPath(place.path, found) }, config);
  const sourceLocation = found?.from === 'mapping' ? found.source : source;
  return {
    status,
    ...(url !== undefined && { url }),
    ...(sourceLocation !== undefined && { sourceLocation }),
    ...(found?.lastModified !== undefined && { lastModified: found.lastModified }),
  };
}

/** The name that the public service gives what lies behind a path: a page is Markdown there. */
export function resourceOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.md`;
  return /\.[^/]*$/.test(path) ? path : `${path}.md`;
}

/** Files of the code and what the hosts make of the configuration have no document. */
function statusOf(found: PathFound | undefined): number {
  if (found === undefined) return HOST_ANSWERS.hidden;
  return found.from === 'code' || found.from === 'configuration' ? HOST_ANSWERS.missing : found.status;
}

/** Of a folder its page is edited. */
function documentPath(path: string, found: PathFound | undefined): string {
  return found?.from === 'folder' && found.source !== undefined ? found.source : path;
}

/** By the sidekick's own pattern, as its programs fill it in; else where the authoring system opens the page of its delivery address. */
function editUrl({ org, site, path }: EditedPath, { content, sidekick }: Site): string | undefined {
  const source = content?.source.url;
  const isPage = resourceOf(path).endsWith('.md');
  const pattern =
    sidekick?.editUrlPattern ?? (isPage && source !== undefined && parseDeliveryAddress(source) !== undefined ? OPENED : undefined);
  const values: Readonly<Record<string, string>> = {
    contentSourceUrl: source ?? '',
    org,
    site,
    pathname: path.endsWith('/') ? `${path}index` : path,
  };
  return pattern?.replaceAll(/\{\{(contentSourceUrl|org|site|pathname)\}\}/g, (_, name: string) => values[name] ?? '');
}

const OPENED = '{{contentSourceUrl}}{{pathname}}?cmd=open';

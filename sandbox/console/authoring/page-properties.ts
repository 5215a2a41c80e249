import { EDGE_CONFIGURATION, EdgeConfiguration, PageContent } from '@repoless/contract/authoring.ts';
import { readSling } from './sling.ts';
import type { Author } from './sling.ts';

/** What the page properties show. */
export interface PageProperties {
  readonly path: string;
  readonly title: string;
  readonly template: string | undefined;
  readonly language: string | undefined;
  readonly liveCopyOf: string | undefined;
  /** The cloud configuration in force, and the page that sets it. */
  readonly cloudConfiguration: { readonly path: string; readonly setBy: string } | undefined;
  readonly edge: EdgeSettings | undefined;
}

/** What an author sets of an Edge Delivery configuration. */
export interface EdgeValues {
  readonly projectType: string | undefined;
  readonly organization: string | undefined;
  readonly siteName: string | undefined;
  readonly technicalAccount: string | undefined;
}

export interface EdgeSettings extends EdgeValues {
  /** The `/conf` path where the Edge Delivery configuration lies. */
  readonly path: string;
  /** The branch of the code. */
  readonly ref: string;
}

/** Undefined where there is no such page. */
export async function readPageProperties(author: Author, path: string): Promise<PageProperties | undefined> {
  const answer = await readSling(author, `${path}/jcr:content`, '1');
  if (answer === undefined) return undefined;
  const content = PageContent.parse(answer);
  const cloudConfiguration = await configurationInForce(author, path, content);
  return {
    path,
    title: content['jcr:title'] ?? path,
    template: content['cq:template'],
    language: content['jcr:language'],
    liveCopyOf: textOf(recordOf(content['cq:LiveSyncConfig'])['cq:master']),
    cloudConfiguration,
    edge: cloudConfiguration && (await edgeSettings(author, cloudConfiguration.path)),
  };
}

/** `cq:conf` of the page, or of the nearest page above that has one. */
async function configurationInForce(author: Author, path: string, content: PageContent): Promise<PageProperties['cloudConfiguration']> {
  let page = path;
  let found: PageContent | undefined = content;
  for (;;) {
    const conf = found?.['cq:conf'];
    if (conf !== undefined && conf !== '') return { path: conf, setBy: page };
    page = page.slice(0, page.lastIndexOf('/'));
    if (page.split('/').length < 3) return undefined;
    const answer = await readSling(author, `${page}/jcr:content`);
    found = answer === undefined ? undefined : PageContent.parse(answer);
  }
}

/** The Edge Delivery configuration at a `/conf` path, or at the nearest one above. */
async function edgeSettings(author: Author, conf: string): Promise<EdgeSettings | undefined> {
  for (let path = conf; path.split('/').length >= 3; path = path.slice(0, path.lastIndexOf('/'))) {
    const answer = await readSling(author, `${path}/${EDGE_CONFIGURATION}/jcr:content`);
    if (answer === undefined) continue;
    const edge = EdgeConfiguration.parse(answer);
    return {
      path,
      ref: edge.ref ?? 'main',
      projectType: edge.projectType,
      organization: edge.owner,
      siteName: edge.repo,
      technicalAccount: textOf(edge['technicalAccountId']),
    };
  }
  return undefined;
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

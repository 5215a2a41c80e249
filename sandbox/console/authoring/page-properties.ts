import { EDGE_FIELDS, PROJECT_TYPES } from '@repoless/contract/edge-fields.ts';
import { CsrfToken, EDGE_CONFIGURATION, EdgeConfiguration, PageContent } from '@repoless/contract/authoring.ts';
import { useEffect, useState } from 'react';
import { z } from 'zod';
import type { Environment } from '../settings.ts';

/** What the page properties show. */
export interface PageProperties {
  readonly path: string;
  readonly title: string;
  readonly template: string | undefined;
  readonly language: string | undefined;
  readonly liveCopyOf: string | undefined;
  /** The effective cloud configuration, and the page that sets it. */
  readonly cloudConfiguration: { readonly path: string; readonly setBy: string } | undefined;
  readonly edge: EdgeSettings | undefined;
}

/** The values that an author sets in an Edge Delivery configuration. */
export interface EdgeValues {
  readonly projectType: string | undefined;
  readonly organization: string | undefined;
  readonly siteName: string | undefined;
  readonly technicalAccount: string | undefined;
}

export interface EdgeSettings extends EdgeValues {
  /** The `/conf` path of the Edge Delivery configuration. */
  readonly path: string;
  /** The branch of the code. */
  readonly ref: string;
}

/** Undefined if there is no such page. */
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

/** `cq:conf` of the page, or of the nearest ancestor that has one. */
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

/** The Edge Delivery configuration at a `/conf` path, or at its nearest ancestor that has one. */
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

/** Saves the changed values like the authoring system's dialog: one Sling POST with a CSRF token. Rejects with a message. */
export async function saveEdgeSettings(author: Author, before: EdgeSettings, values: EdgeValues): Promise<void> {
  const fields = changedFields(before, values);
  if (fields.length === 0) return;
  const { token } = CsrfToken.parse(await readSling(author, '/libs/granite/csrf/token'));
  const answer = await fetch(`/author/${author.environment.id}${encodeURI(before.path)}/${EDGE_CONFIGURATION}/_jcr_content`, {
    method: 'POST',
    headers: { authorization: `Bearer ${author.token}`, accept: 'application/json' },
    body: new URLSearchParams([['_charset_', 'utf-8'], ...fields, [':cq_csrf_token', token]]),
  });
  if (!answer.ok) throw new Error(refusal(answer.status, await answer.text()));
}

/** Cleared values are removed; unchanged ones are not sent, so that the environment's values are not stored. */
function changedFields(before: EdgeSettings, values: EdgeValues): [string, string][] {
  return EDGE_FIELDS.flatMap(({ key, property }): [string, string][] => {
    const value = values[key] ?? '';
    if (value === (before[key] ?? '')) return [];
    return [value === '' ? [`./${property}@Delete`, 'true'] : [`./${property}`, value]];
  });
}

/** In Sling's JSON the message is `status.message`; if a request does not reach Sling it is the entire text. */
function refusal(status: number, text: string): string {
  const sentence = sentenceIn(text);
  return `The authoring system returned ${status}${sentence === '' ? '.' : `: ${sentence}`}`;
}

function sentenceIn(text: string): string {
  try {
    return Refused.parse(JSON.parse(text))['status.message'];
  } catch {
    return text.trim();
  }
}

const Refused = z.looseObject({ 'status.message': z.string() });

export type PageState =
  | { readonly state: 'none' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'missing' }
  | { readonly state: 'ready'; readonly properties: PageProperties };

/** The properties of the selected page; read again for every new `reading`. The previous ones stay visible in the meantime. */
export function usePageProperties(author: Author, path: string | undefined, reading: number): PageState {
  const [found, setFound] = useState<{ key: string; page: PageState }>();
  const key = `${author.environment.id}${path ?? ''}`;
  useEffect(() => {
    if (path === undefined) return undefined;
    let gone = false;
    void read(author, path).then((page) => {
      if (!gone) setFound({ key, page });
    });
    return () => {
      gone = true;
    };
  }, [author, path, key, reading]);
  if (path === undefined) return { state: 'none' };
  return found?.key === key ? found.page : { state: 'loading' };
}

async function read(author: Author, path: string): Promise<PageState> {
  try {
    const properties = await readPageProperties(author, path);
    return properties === undefined ? { state: 'missing' } : { state: 'ready', properties };
  } catch (error) {
    return { state: 'failed', sentence: error instanceof Error ? error.message : 'Couldn’t read the page.' };
  }
}

export function projectTypeTitle(projectType: string | undefined): string {
  if (projectType === undefined) return 'No project type is set';
  return PROJECT_TYPES.find(({ id }) => id === projectType)?.title ?? PROJECT_TYPES[0].title;
}

/** Access to one authoring environment, with the token of the signed-in person. */
export interface Author {
  readonly environment: Environment;
  readonly token: string;
}

/** Why the authoring system did not respond, as a sentence. */
export class AuthoringProblem extends Error {
  readonly status: number;
  constructor(status: number, sentence: string) {
    super(sentence);
    this.name = 'AuthoringProblem';
    this.status = status;
  }
}

/** Reads `{path}.{selector}.json`; undefined if there is nothing at that path. */
export async function readSling(author: Author, path: string, selector?: string): Promise<unknown> {
  const resource = path.replaceAll('jcr:content', '_jcr_content');
  const suffix = selector === undefined ? '.json' : `.${selector}.json`;
  const answer = await fetch(`/author/${author.environment.id}${encodeURI(resource)}${suffix}`, {
    headers: { authorization: `Bearer ${author.token}`, accept: 'application/json' },
  });
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new AuthoringProblem(answer.status, sentenceFor(answer.status));
  return await answer.json();
}

function sentenceFor(status: number): string {
  if (status === 300) return 'There are too many resources below this page to read them together.';
  if (status === 401) return 'The sign-in has ended. Sign out and in again.';
  if (status === 403) return 'The authoring system does not let you read this.';
  if (status >= 500) return `The authoring system failed (${status}). See “Simulate faults”, or try again.`;
  return `The authoring system returned ${status}.`;
}

import { z } from 'zod';
import { PageContent } from '@repoless/contract/authoring.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Known } from '../situation/situation.ts';
import { readSling } from './read-sling.ts';

const Content = PageContent.extend({ 'cq:LiveSyncConfig': z.looseObject({ 'cq:master': z.string().optional() }).optional() });
type Content = z.infer<typeof Content>;

/** A page with its ancestors up to the level below `/content`, the page itself first. */
export interface PageChain {
  readonly page: { readonly path: string; readonly content: Content };
  readonly levels: readonly { readonly path: string; readonly content: Known<Content> }[];
}

/** Reads the properties of a page and of all pages above it at once. */
export async function readPageChain(proxy: AuthoringProxy, page: string): Promise<Known<PageChain>> {
  const paths = pathsUpwards(page);
  if (paths.length === 0) return { state: 'missing' };
  const contents = await Promise.all(paths.map((path) => readSling(proxy, `${path}/jcr:content.1.json`, Content)));
  const [own] = contents;
  if (own?.state !== 'known') return own ?? { state: 'missing' };
  const levels = paths.flatMap((path, index) => {
    const content = contents[index];
    return content === undefined ? [] : [{ path, content }];
  });
  return { state: 'known', value: { page: { path: page, content: own.value }, levels } };
}

/** `/content/a/b` → `/content/a/b`, `/content/a`. Empty for paths that are not below `/content`. */
function pathsUpwards(page: string): string[] {
  const segments = page.split('/').slice(1);
  if (segments[0] !== 'content' || segments.length < 2 || segments.some((segment) => segment === '')) return [];
  return segments.slice(1).map((_segment, index) => `/${segments.slice(0, segments.length - index).join('/')}`);
}

/** The nearest level whose properties have what is looked for; a level that cannot be read ends the search. */
export function nearest<T>(chain: PageChain, pick: (content: Content) => T | undefined): Known<{ path: string; value: T }> {
  for (const { path, content } of chain.levels) {
    if (content.state === 'failed') return content;
    const value = content.state === 'known' ? pick(content.value) : undefined;
    if (value !== undefined) return { state: 'known', value: { path, value } };
  }
  return { state: 'missing' };
}

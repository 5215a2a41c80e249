import { PathPrefix } from '@repoless/contract/mappings.ts';

/** What was typed on the start page, each part absent where it is not usable. The author's path and query are dropped. */
export function readPageAddress(author: string, path: string): { readonly author?: string; readonly path?: string } {
  const typed = author.trim();
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const page = path
    .trim()
    .replace(/\.html$/, '')
    .replace(/\/+$/, '');
  return {
    ...(url !== undefined && /^https?:$/.test(url.protocol) ? { author: url.origin } : {}),
    ...(page.startsWith('/content/') && PathPrefix.safeParse(page).success ? { path: page } : {}),
  };
}

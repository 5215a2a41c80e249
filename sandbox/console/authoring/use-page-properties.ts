import { useEffect, useState } from 'react';
import { readPageProperties } from './page-properties.ts';
import type { PageProperties } from './page-properties.ts';
import type { Author } from './sling.ts';

export type PageState =
  | { readonly state: 'none' }
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'missing' }
  | { readonly state: 'ready'; readonly properties: PageProperties };

/** The properties of the selected page; read again with every new `reading`. What was shown stays while it is read again. */
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

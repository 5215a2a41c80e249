import { useEffect, useState } from 'react';
import type { PageProperties } from '../authoring/page-properties.ts';
import type { Author } from '../authoring/sling.ts';
import type { Settings } from '../settings.ts';
import { placeOfFiles, readEditorFiles } from './editor-files.ts';
import type { NotServed } from './editor-files.ts';
import { framedPage } from './framed-page.ts';

export type EditedPage =
  | { readonly state: 'loading' }
  | { readonly state: 'unopened'; readonly sentence: string }
  | { readonly state: 'white'; readonly files: readonly NotServed[] }
  | { readonly state: 'shown'; readonly document: string };

/** What the editor shows of a page. */
export function useEditedPage(author: Author, settings: Settings, properties: PageProperties): EditedPage {
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
  const place = placeOfFiles(edge, settings);
  if (place === undefined)
    return {
      state: 'unopened',
      sentence: 'The Edge Delivery configuration has no organization or no site name, so nothing says where its code is.',
    };
  const files = await readEditorFiles(place);
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
  return { state: 'shown', document: framedPage(text, files.head, `${place.address}/`) };
}

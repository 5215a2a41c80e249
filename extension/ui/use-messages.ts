import { useLocale } from '@adobe/react-spectrum/Provider';
import { formatList } from '@repoless/core/messages/format-message.ts';
import { useCallback, createContext, use, useMemo } from 'react';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import type { Messages, MessagesOf, Part } from '@repoless/core/messages/language.ts';

export const CatalogueContext = createContext(createCatalogues()('en'));

/**
 * The sentences of the first view with those of a part. The view suspends while the part is being loaded, and while those for the service's
 * codes are, if it is the first to need one.
 */
export function useMessages<P extends Part = 'first-view'>(part?: P): Omit<Messages, keyof MessagesOf<P>> & MessagesOf<P>;
export function useMessages(part: Part = 'first-view'): object {
  const catalogue = use(CatalogueContext);
  const first = ready(catalogue.read('first-view'));
  const more = ready(catalogue.read(part));
  return useMemo(
    () => ({
      ...first,
      ...more,
      get service() {
        return ready(catalogue.readService());
      },
    }),
    [catalogue, first, more],
  );
}

/**
 * Thrown to the nearest Suspense, which renders the view again: `use` would require the same promise then, while the sentences
 * are found. What could not be loaded is loaded again after a pause.
 */
function ready<T>(read: T | Promise<T>): T {
  if (read instanceof Promise) throw read.catch(() => new Promise((resolve) => setTimeout(resolve, PAUSE)));
  return read;
}

/** Milliseconds. */
const PAUSE = 2000;

export function useList(): (names: Iterable<string>) => string {
  const { locale } = useLocale();
  return useCallback((names) => formatList(names, locale), [locale]);
}

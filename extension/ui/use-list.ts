import { useLocale } from '@adobe/react-spectrum/Provider';
import { formatList } from '@repoless/core/messages/format-message.ts';
import { useCallback } from 'react';

/** Formats names as a list in the panel's language. */
export function useList(): (names: Iterable<string>) => string {
  const { locale } = useLocale();
  return useCallback((names) => formatList(names, locale), [locale]);
}

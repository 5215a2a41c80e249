import { useLocale } from '@adobe/react-spectrum/Provider';
import { formatList } from '@repoless/core/messages/format-message.ts';
import { useCallback } from 'react';

/** Writes names as the language of the panel lists them. */
export function useList(): (names: Iterable<string>) => string {
  const { locale } = useLocale();
  return useCallback((names) => formatList(names, locale), [locale]);
}

import { historyPanel as de } from './de/history-panel.ts';
import { historyPanel as en } from './en/history-panel.ts';

/** The words of the history. They are loaded with it: the first view has no use for them. */
export type HistoryWords = typeof en;

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function historyWordsFor(locale: string): HistoryWords {
  return new Intl.Locale(locale).language === 'de' ? de : en;
}

import type { Part } from './language.ts';

/** Loads the file of a part in a language. */
export function loadPart(language: string, part: Part): Promise<{ readonly default: unknown }> {
  return import(`./${language}/${part}.json`, { with: { type: 'json' } });
}

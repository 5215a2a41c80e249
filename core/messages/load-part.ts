import type { Part } from './language.ts';

export function loadPart(language: string, part: Part): Promise<{ readonly default: unknown }> {
  return import(`./${language}/${part}.json`, { with: { type: 'json' } });
}

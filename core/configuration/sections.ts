import { EDITED_PARTS, partSchema } from '@repoless/contract/edited-parts.ts';
import type { EditedPart } from '@repoless/contract/edited-parts.ts';
import { formOf } from './form-node.ts';
import type { FormNode } from './form-node.ts';

export const SECTIONS = EDITED_PARTS;
export type SectionName = EditedPart;

/** How each part is edited, made of the contract's schema. */
export const FORMS: Readonly<Record<SectionName, FormNode>> = {
  headers: formOf(partSchema('headers')),
  folders: formOf(partSchema('folders')),
  robots: formOf(partSchema('robots')),
  metadata: formOf(partSchema('metadata')),
  query: formOf(partSchema('query')),
  sitemap: formOf(partSchema('sitemap')),
  sidekick: formOf(partSchema('sidekick')),
  cdn: formOf(partSchema('cdn')),
};

/** Texts of several lines; no schema says so. */
const LONG_TEXTS: ReadonlySet<string> = new Set(['robots/txt', 'query/yaml', 'sitemap/yaml']);

/** In: a place, its keys and indexes written as `*`. */
export function isLongText(place: string): boolean {
  return LONG_TEXTS.has(place);
}

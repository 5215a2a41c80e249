import { z } from 'zod';
import { SiteYaml } from './site-parts.ts';
import { SITE_PARTS } from './site.ts';

/** The parts of a site that have forms, in the order shown. Access has its own view; code, content and mappings belong to setup. */
export const EDITED_PARTS = ['headers', 'folders', 'robots', 'metadata', 'query', 'sitemap', 'sidekick', 'cdn'] as const;
export type EditedPart = (typeof EDITED_PARTS)[number];

export type JsonSchema = z.core.JSONSchema.JSONSchema;

const SCHEMAS = { ...SITE_PARTS, query: SiteYaml, sitemap: SiteYaml } satisfies Record<EditedPart, z.ZodType>;

/** The JSON schema of a part, for programs that render a form from it. */
export function partSchema(part: EditedPart): JsonSchema {
  return z.toJSONSchema(SCHEMAS[part], { io: 'input', unrepresentable: 'any' });
}

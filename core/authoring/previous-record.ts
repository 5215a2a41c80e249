import { z } from 'zod';
import { parseJson } from '../api/exchange.ts';
import type { Previous } from '../situation/settings.ts';

const value = z.string().nullable();
const PreviousRecord = z.object({
  at: z.string(),
  by: z.string(),
  projectType: value,
  organization: value,
  siteName: value,
  siteVersion: z.number().int().nullable(),
  org: z.string(),
  site: z.string(),
  configurationPageCreated: z.boolean(),
  configurationPages: z.array(z.string().startsWith('/content/')).optional(),
  configuration: z
    .object({ created: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(), selected: z.boolean() })
    .optional(),
});

/** The record of the values before an apply; undefined where there is none, or none that can be read. */
export function parsePrevious(text: unknown): Previous | undefined {
  const parsed = PreviousRecord.safeParse(typeof text === 'string' ? parseJson(text) : undefined);
  return parsed.success ? parsed.data : undefined;
}

import { z } from 'zod';
import { SiteFile } from './site-file.ts';

/** The JSON schema of the declarative file, for editors and for those who write it by program. */
export function siteFileSchema(): unknown {
  return z.toJSONSchema(SiteFile, { io: 'input', unrepresentable: 'any' });
}

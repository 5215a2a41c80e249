import type { Settings } from '../config.ts';
import { pruneAudit } from './prune-audit.ts';
import { UsageError } from './usage-error.ts';
import { verifyArchives } from './verify-archives.ts';

/** `audit prune …` and `audit verify-archive …`: shortens audit trails, and verifies what was taken from them. */
export function audit([verb, ...words]: readonly string[], settings: Settings): Promise<number> {
  if (verb === 'prune') return pruneAudit(words, settings);
  if (verb === 'verify-archive') return verifyArchives(words, settings);
  throw new UsageError('Choose one: audit prune --before <date> --archive <file> [--org <organization>], audit verify-archive <file> ….');
}

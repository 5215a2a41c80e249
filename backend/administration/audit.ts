import type { Settings } from '../config.ts';
import { pruneAudit } from './prune-audit.ts';
import { UsageError } from './usage-error.ts';
import { verifyArchives } from './verify-archives.ts';

/** `audit prune …` and `audit verify-archive …`: shortens audit trails, and verifies what was taken from them. */
export function audit([action, ...args]: readonly string[], settings: Settings): Promise<number> {
  if (action === 'prune') return pruneAudit(args, settings);
  if (action === 'verify-archive') return verifyArchives(args, settings);
  throw new UsageError('Choose one: audit prune --before <date> --archive <file> [--org <organization>], audit verify-archive <file> ….');
}

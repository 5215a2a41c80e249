import { LIMITS } from '@repoless/contract/limits.ts';
import { LRUCache } from 'lru-cache';
import type { PageServices } from '../delivery/page-answer.ts';
import { authorOrigin } from '../authoring/author.ts';
import { createAuthors } from '../remote/authors.ts';
import type { Remote } from '../remote/remote.ts';
import type { Settings } from '../config.ts';

/** How pages are read for the preview and live hosts. */
export function composePages(settings: Settings, remote: Remote): PageServices {
  const time = settings.CONTENT_TIME * 1000;
  return {
    authors: createAuthors(remote, { timeout: time, sizeLimit: LIMITS.pageSize }),
    time,
    token: settings.CONTENT_TOKEN,
    isKnownAuthor: knownAuthors(settings.AUTHOR_HOSTS),
  };
}

/** Cached because it runs for every page: a refusal with its stack costs more than the check itself. */
function knownAuthors(allowed: readonly string[]): (origin: string) => boolean {
  const known = new LRUCache<string, boolean>({ max: ORIGINS });
  return (origin) => {
    const before = known.get(origin);
    if (before !== undefined) return before;
    const found = isAllowed(allowed, origin);
    known.set(origin, found);
    return found;
  };
}

/** A token is sent only to the authors of the settings, and over HTTPS unless on this machine. */
function isAllowed(allowed: readonly string[], origin: string): boolean {
  try {
    return authorOrigin(new URL(origin).host, allowed) === origin;
  } catch {
    return false;
  }
}

const ORIGINS = 1000;

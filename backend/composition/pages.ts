import { LIMITS } from '#contract/limits.ts';
import type { PageServices } from '#backend/delivery/page-answer.ts';
import { authorOrigin } from '#backend/http/authoring/author-origin.ts';
import { createAuthors } from '#backend/remote/authors.ts';
import type { Remote } from '#backend/remote/remote.ts';
import type { Settings } from '../config.ts';

/** How pages are read for the preview and live hosts. */
export function composePages(settings: Settings, remote: Remote): PageServices {
  const time = settings.CONTENT_TIME * 1000;
  return {
    authors: createAuthors(remote, { timeout: time, sizeLimit: LIMITS.pageSize }),
    time,
    token: settings.CONTENT_TOKEN,
    isKnownAuthor: (origin) => isAllowed(settings.AUTHOR_HOSTS, origin),
  };
}

/** A token travels to the authors of the settings alone, and by HTTPS but on this machine. */
function isAllowed(allowed: readonly string[], origin: string): boolean {
  try {
    return authorOrigin(new URL(origin).host, allowed) === origin;
  } catch {
    return false;
  }
}

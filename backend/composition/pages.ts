import { LIMITS } from '@repoless/contract/limits.ts';
import type { PageServices } from '../delivery/page-answer.ts';
import { allowedAuthor } from '@repoless/contract/authoring.ts';
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
    isKnownAuthor: (origin) => isAllowed(settings.AUTHOR_HOSTS, origin),
  };
}

/** A token is sent only to the authors of the settings, and over HTTPS unless on this machine. */
function isAllowed(allowed: readonly string[], origin: string): boolean {
  return URL.canParse(origin) && allowedAuthor(new URL(origin).host, allowed) === origin;
}

import { contentAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

/** An answer that is another one where a proxy says otherwise which host was asked for. */
export const VARY = ['vary', 'x-forwarded-host'];

/**
 * Whether a request came by the production host of a site: its proxy names it in `x-forwarded-host`, as those in front of the public service
 * do. In: the header, and whether a host is one of the service's own.
 */
export function isForwarded(forwarded: string | string[] | undefined, isOwn: (host: string) => boolean): boolean {
  return String(forwarded ?? '')
    .split(',')
    .map((host) => host.trim())
    .some((host) => host !== '' && !isOwn(host));
}

export function robotsAnswer(text: string | Uint8Array, more: readonly string[] = []): ReadyAnswer {
  const answer = contentAnswer('text/plain; charset=utf-8', Buffer.from(text));
  return { ...answer, headers: [...answer.headers, ...more] };
}

/** At the production host of a site that has no robots.txt of its own. */
export function openRobots(production: string | undefined): ReadyAnswer {
  return robotsAnswer(`User-agent: *\nAllow: /\n${production === undefined ? '' : `\nSitemap: https://${production}/sitemap.xml\n`}`, VARY);
}

/** At the live host of such a site: search engines would find the same pages twice. */
export const CLOSED_ROBOTS = robotsAnswer(
  `# Search engines find this site at its production host. Set robots.txt in the configuration
# of the site to have another one here.
User-agent: *
Disallow: /
`,
  VARY,
);

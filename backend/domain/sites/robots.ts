import type { SiteView } from './site-view.ts';

/** `robots.txt` of a site: its text. */
export const ROBOTS: SiteView = { pointer: '/robots', read: (site) => site.robots?.txt };
export const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const;

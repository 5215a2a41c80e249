/** What the value of a site token begins with, by which clients of the public API know it. */
export const SITE_TOKEN_PREFIX = 'hlxtst_';

/** Seconds that a site token lives. */
export const SITE_TOKEN_SECONDS = 24 * 60 * 60;

import type { page as english } from '../en/page.ts';

export const page: typeof english = {
  reading: 'Die Einstellungen werden gelesen\u00a0…',
  readFailed: 'Die Einstellungen konnten nicht gelesen werden',
  pageMissing: (path) => ({
    sentence: `Im Autorensystem gibt es keine Seite ${path}, oder Sie dürfen sie nicht sehen.`,
    next: 'Prüfen Sie den Pfad, oder bitten Sie den Administrator des Autorensystems um Leserechte.',
  }),
  siteRoot: (path) => `Wurzel der Site: ${path}`,
  openedFrom: (path) => `Geöffnet von ${path}`,
  signedInAs: (name) => `Angemeldet als ${name}`,
};

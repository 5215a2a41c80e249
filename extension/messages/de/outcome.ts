import type { outcome as englishOutcome } from '../en/outcome.ts';

export const outcome: typeof englishOutcome = {
  unread: 'Noch nicht aktualisiert',
  line: (site, organization) => `Diese Seite ist als Site „${site}“ von „${organization}“ für repoless eingerichtet.`,
  but: {
    differs: (site) => `Die Einstellungen der Site „${site}“ haben sich seit der Einrichtung geändert.`,
    faulty: (site, wrong) =>
      `Alle Schritte für die Site „${site}“ sind erledigt, aber ${wrong === 1 ? '1 Prüfung schlägt fehl' : `${wrong} Prüfungen schlagen fehl`}. Siehe „Zustand“.`,
    unverified: (site) =>
      `Alle Schritte für die Site „${site}“ sind erledigt, aber noch nicht alles konnte geprüft werden. Siehe „Zustand“.`,
  },
  preview: 'Preview-Adresse',
  live: 'Live-Adresse',
  copyAddress: (name) => `${name} kopieren`,
};

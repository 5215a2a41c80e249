import type { outcome as englishOutcome, run as englishRun } from '../en/run.ts';

export const run: typeof englishRun = {
  goOn: 'Fortfahren',
  retry: 'Ab dem fehlgeschlagenen Schritt noch einmal versuchen',
  stop: 'Anhalten',
  stopping: 'Nach diesem Schritt wird angehalten\u00a0…',
  progress: 'Die Site wird eingerichtet',
  progressUndo: 'Die Einrichtung wird zurückgesetzt',
  count: (done, total) => `${done} von ${total}`,
  stepDone: (title) => `${title}: erledigt.`,
  stepRunning: (title) => `${title}\u00a0…`,
  stepWaiting: (title, attempt, why) => `${title}: wartet, Versuch ${attempt}.${why === '' ? '' : ` ${why}`}`,
  stepFollowing: (title, phase) => `${title}: ${phase}`,
  stepFailed: (title) => `${title}: fehlgeschlagen.`,
  complete: 'Die Site ist eingerichtet.',
  completeUndo: 'Alles ist wieder wie vorher.',
  stopped: 'Angehalten. Erledigte Schritte bleiben erhalten. Sie können jederzeit fortfahren.',
  failed: (title) => `„${title}“ ist fehlgeschlagen`,
  planChanged: 'Der Plan hat sich geändert',
  blocked: 'Einige Schritte sind blockiert. Beheben Sie die Ursache, und wählen Sie dann „Aktualisieren“.',
  invalid: 'Korrigieren Sie zuerst die markierten Felder unter „Neue Einstellungen“.',
  showField: (label) => `Zu „${label}“`,
  readAgain: 'Aktualisieren',
};

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

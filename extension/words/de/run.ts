import type { outcome as englishOutcome, run as englishRun, undo as englishUndo } from '../en/run.ts';

export const run: typeof englishRun = {
  enable: 'Repoless aktivieren',
  goOn: 'Weitermachen',
  retry: 'Ab dem misslungenen Schritt noch einmal versuchen',
  stop: 'Anhalten',
  stopping: 'Nach diesem Schritt wird angehalten …',
  progress: 'Die Site wird eingerichtet',
  progressUndo: 'Es wird zurückgesetzt',
  count: (done, total) => `${done} von ${total}`,
  stepDone: (title) => `${title}: erledigt.`,
  stepRunning: (title) => `${title} …`,
  stepWaiting: (title, attempt) => `${title}: noch nicht da, Versuch ${attempt}.`,
  stepFailed: (title) => `${title}: misslungen.`,
  complete: 'Die Site ist eingerichtet.',
  completeUndo: 'Alles ist wieder wie vorher.',
  stopped: 'Angehalten. Was getan ist, bleibt getan; Sie können jederzeit weitermachen.',
  failed: (title) => `„${title}“ ist misslungen`,
  blocked: 'Einige Schritte sind blockiert. Beheben Sie, was sie blockiert, und wählen Sie dann „Neu lesen“.',
  invalid: 'Berichtigen Sie zuerst die markierten Felder unter „Was eingestellt wird“.',
  readAgain: 'Neu lesen',
};

export const outcome: typeof englishOutcome = {
  states: {
    ready: 'Eingerichtet',
    open: 'Noch nicht eingerichtet',
    part: 'Teilweise eingerichtet',
    drifted: 'Eingerichtet, mit Abweichungen',
    blocked: 'Blockiert',
  },
  line: (site, organization) => `Diese Seite ist als Site „${site}“ von „${organization}“ für repoless eingerichtet.`,
  preview: 'Preview-Adresse',
  live: 'Live-Adresse',
  copyAddress: (name) => `${name} kopieren`,
};

export const undo: typeof englishUndo = {
  open: 'Zurücksetzen …',
  title: 'Auf die Werte von vorher zurücksetzen',
  text: 'Diese Schritte stellen die Werte von vorher wieder her, zuerst die im Autorensystem.',
  confirm: 'Jetzt zurücksetzen',
  cancel: 'Alles lassen, wie es ist',
  retry: 'Ab dem misslungenen Schritt noch einmal versuchen',
  nothing: 'Es gibt nichts zurückzusetzen: Werte von vorher sind nicht aufbewahrt.',
  kept: (by, at) => `Die Werte von vorher hat ${by} am ${at} aufbewahrt.`,
};

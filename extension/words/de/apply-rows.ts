import type { applyRows as english } from '../en/apply-rows.ts';

export const applyRows: typeof english = {
  title: 'Sites einrichten',
  progress: 'Sites werden eingerichtet',
  count: (done, failed, total) => `${done} von ${total} fertig${failed === 0 ? '' : `, ${failed} misslungen`}`,
  timeLeft: (seconds) => (seconds < 60 ? `noch etwa ${Math.max(1, seconds)} s` : `noch etwa ${Math.ceil(seconds / 60)} min`),
  paused: (seconds) => `Der Dienst bat darum, ${seconds} s zu warten.`,
  stop: 'Anhalten',
  stopping: 'Wird angehalten: was begonnen ist, kommt zu Ende …',
  preparing: 'Es wird gelesen, was schon da ist …',
  ended: {
    complete: (count, unchanged) =>
      `${count === 1 ? 'Die Site ist eingerichtet.' : `Alle ${count} Sites sind eingerichtet.`}${unchanged === 0 ? '' : ` Bei ${unchanged} war nichts zu ändern.`}`,
    failed: (failed, done) =>
      `${failed === 1 ? '1 Site ist misslungen' : `${failed} Sites sind misslungen`}; ${done} sind eingerichtet und bleiben es.`,
    stopped: (done, left) => `Angehalten. ${done} sind eingerichtet und bleiben es, ${left} sind übrig.`,
    unreachable: (done, left) =>
      `Der Dienst oder das Autorensystem antwortet nicht mehr. ${done} sind eingerichtet und bleiben es, ${left} sind übrig.`,
  },
  retry: (count) => (count === 1 ? 'Die misslungene Site noch einmal versuchen' : `Die ${count} misslungenen Sites noch einmal versuchen`),
  goOn: (count) => `Mit ${count} übrigen weitermachen`,
  correct: 'Die übrigen Sites berichtigen',
  toTree: 'Zurück zum Baum',
  label: 'Was aus jeder Site wurde',
  columns: { site: 'Site', state: 'Zustand', detail: 'Einzelheit' },
  states: { waiting: 'Wartet', running: 'In Arbeit', done: 'Fertig', failed: 'Misslungen', stopped: 'Nicht begonnen' },
  outcomes: { created: 'Angelegt', changed: 'Geändert', unchanged: 'Nichts zu ändern' },
  steps: {
    read: 'Lesen',
    'configuration-page': 'Konfigurationsseite anlegen',
    'register-site': 'Site registrieren',
    verify: 'Beide Hosts prüfen',
    'cloud-configuration': 'Eigene Cloud-Konfiguration setzen',
    switch: 'Geerbte Konfiguration abwählen',
  },
  attempt: (step, attempt) => `${step}, Versuch ${attempt}`,
  csv: 'Ergebnisse als CSV',
  script: 'Die Aufrufe als Shell-Skript',
  downloadCsv: 'CSV herunterladen',
  downloadScript: 'Skript herunterladen',
  scriptText: 'Es fragt die Token über Variablen ab; keines steht darin.',
  noCalls: 'Es war nichts zu schreiben.',
  kept: {
    title: 'Ein Lauf wurde nicht beendet',
    text: (count, base, time) =>
      `${count === 1 ? '1 Site' : `${count} Sites`} zur Basis-Site „${base}“ wurden am ${time} begonnen und sind nicht sicher fertig. Was fertig ist, wird erkannt und nicht noch einmal getan.`,
    goOn: (count) => (count === 1 ? 'Mit 1 Site weitermachen' : `Mit ${count} Sites weitermachen`),
    review: 'Erst ansehen',
    discard: 'Vergessen',
  },
};

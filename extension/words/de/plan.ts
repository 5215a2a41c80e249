import type { plan as englishPlan, steps as englishSteps, undoSteps as englishUndoSteps } from '../en/plan.ts';

export const plan: typeof englishPlan = {
  title: 'Was getan wird',
  doneTitle: 'Was getan wurde',
  undoTitle: 'Was zurückgesetzt wird',
  complete: 'Es ist schon alles getan.',
  doneSteps: (count) => `${count} Schritte, alle erledigt`,
  summary: (done, open) => `${done} erledigt, ${open} zu tun`,
  states: {
    done: 'Schon erledigt',
    create: 'Wird angelegt',
    change: 'Wird geändert',
    verify: 'Wird geprüft',
    blocked: 'Blockiert',
    running: 'In Arbeit',
    waiting: (attempt) => `Wartet, Versuch ${attempt}`,
    finished: 'Erledigt',
    failed: 'Misslungen',
  },
  call: 'Den genauen Aufruf zeigen',
  request: 'Anfrage',
  curl: 'Als curl',
  copyCurl: 'Als curl kopieren',
  sharedCall: (title) => `Geschieht zusammen mit „${title}“.`,
  before: 'Vorher',
  after: 'Nachher',
  nothing: 'nichts',
  changes: 'Änderungen',
  whoCanHelp: 'Wer helfen kann',
  reading: 'Wird neu gelesen …',
};

export const steps: typeof englishSteps = {
  'sign-in': { title: 'Anmelden', why: 'Der Konfigurationsdienst muss wissen, wer Sie sind.' },
  'claim-organization': {
    title: 'Organisation in Besitz nehmen',
    why: 'Nur wem die Organisation auf dem Code-Host gehört, der darf Sites darin haben.',
  },
  'keep-previous': { title: 'Bisherige Werte aufbewahren', why: 'Damit sich hier alles zurücksetzen lässt.' },
  'configuration-page': {
    title: 'Konfigurationsseite anlegen',
    why: 'Ihre Zeilen werden die öffentliche Konfiguration der Site. Sie darf leer bleiben.',
  },
  'register-site': { title: 'Site registrieren', why: 'Sagt dem Dienst, wo Code und Inhalt dieser Site liegen.' },
  'store-secret': {
    title: 'Geheimnis des externen Repositorys speichern',
    why: 'Der Dienst liest damit den Code; alle Sites auf diesem Repository teilen es.',
  },
  'map-paths': { title: 'Pfade zuordnen', why: 'Macht aus Inhaltspfaden die Adressen, die Besucher sehen.' },
  'set-access': {
    title: 'Zugriff geben',
    why: 'Administratoren dürfen die Site ändern; das technische Konto darf ihre Seiten veröffentlichen.',
  },
  'verify-preview': {
    title: 'Preview-Host prüfen',
    why: 'Die Konfiguration der Site muss lesbar sein, bevor irgendetwas umgeschaltet wird.',
  },
  'verify-live': { title: 'Live-Host prüfen', why: 'Dasselbe für den Host, den Besucher verwenden.' },
  'cloud-configuration': {
    title: 'Organisation und Namen der Site im Autorensystem einstellen',
    why: 'Damit Seiten auf dieser Site veröffentlicht werden.',
  },
  'project-type': {
    title: 'Projekttyp auf repoless umschalten',
    why: 'Ganz zuletzt: früher umgeschaltet, zeigte der Editor eine weiße Seite.',
  },
};

/** The same steps, seen from the way back. */
export const undoSteps: typeof englishUndoSteps = {
  'sign-in': steps['sign-in'],
  'claim-organization': { title: 'Organisation lassen, wie sie ist', why: 'Andere Sites können darin sein.' },
  'keep-previous': {
    title: 'Aufbewahrte Werte vergessen',
    why: 'Ganz zuletzt: Bis dahin lässt sich das Zurücksetzen fortsetzen.',
  },
  'configuration-page': { title: 'Konfigurationsseite entfernen', why: 'Nur, wo sie von hier aus angelegt wurde.' },
  'register-site': {
    title: 'Konfiguration der Site zurücksetzen',
    why: 'Auf die Version von vorher, oder auf keine Site, wo keine war.',
  },
  'store-secret': { title: 'Geheimnis lassen, wie es ist', why: 'Es geht mit der Site, wo die Site entfernt wird.' },
  'map-paths': { title: 'Pfadzuordnung zurücksetzen', why: 'Sie ist Teil der Konfiguration der Site.' },
  'set-access': { title: 'Zugriff zurücksetzen', why: 'Er ist Teil der Konfiguration der Site.' },
  'verify-preview': { title: 'Preview-Host prüfen', why: 'Er muss antworten wie vorher.' },
  'verify-live': { title: 'Live-Host prüfen', why: 'Dasselbe für den Host, den Besucher verwenden.' },
  'cloud-configuration': {
    title: 'Organisation und Namen der Site im Autorensystem zurücksetzen',
    why: 'Damit Seiten dort veröffentlicht werden, wo sie es vorher wurden.',
  },
  'project-type': {
    title: 'Projekttyp zurückschalten',
    why: 'Zuallererst, damit dem Editor nie eine Konfiguration fehlt.',
  },
};

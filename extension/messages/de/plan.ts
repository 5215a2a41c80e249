import type { plan as englishPlan, steps as englishSteps } from '../en/plan.ts';

export const plan: typeof englishPlan = {
  title: 'Geplante Schritte',
  doneTitle: 'Erledigte Schritte',
  undoTitle: 'Schritte zum Zurücksetzen',
  complete: 'Alle Schritte sind schon erledigt.',
  untried: 'Dieser Konfigurationsdienst unterstützt keine Testläufe. Er kann einen Schritt noch ablehnen, wenn er ausgeführt wird.',
  doneSteps: (count) => (count === 1 ? '1 Schritt erledigt' : `${count} Schritte erledigt`),
  summary: (done, open) => `${done} erledigt, ${open} zu tun`,
  states: {
    done: 'Schon erledigt',
    create: 'Wird angelegt',
    change: 'Wird geändert',
    verify: 'Wird geprüft',
    sync: 'Wird synchronisiert',
    blocked: 'Blockiert',
    running: 'In Arbeit',
    waiting: (attempt) => `Wartet, Versuch ${attempt}`,
    following: 'Synchronisiert',
    finished: 'Erledigt',
    failed: 'Fehlgeschlagen',
  },
  call: 'Die genaue Anfrage zeigen',
  request: 'Anfrage',
  curl: 'Als curl',
  copyCurl: 'Als curl kopieren',
  sharedCall: (title) => `Wird gesendet zusammen mit „${title}“.`,
  before: 'Vorher',
  after: 'Nachher',
  nothing: 'nichts',
  changes: 'Änderungen',
  waitingFor: (turn) => `Jetzt am Zug: ${turn}.`,
  checked: 'Geprüft',
  files: (processed, total) => `${processed} von ${total} Dateien`,
  phases: {
    collect: 'Änderungen werden gesammelt',
    sync: 'Dateien werden abgerufen',
    postprocess: 'Dateien werden aktiviert',
    completed: 'Fertig',
  },
  queued: 'Der Sync ist in der Warteschlange.',
  reading: 'Wird aktualisiert\u00a0…',
};

export const steps: typeof englishSteps = {
  'sign-in': { title: 'Anmelden', why: 'Der Konfigurationsdienst muss wissen, wer Sie sind.' },
  'claim-organization': {
    title: 'Organisation in Besitz nehmen',
    why: 'Nur ihr Eigentümer auf dem Code-Host darf Sites darin registrieren.',
  },
  repository: {
    title: 'Repository prüfen',
    why: 'Der Dienst muss es lesen können, und sein Branch „main“ enthält den Code der Site.',
  },
  'create-configuration': {
    title: 'Cloud-Konfiguration anlegen',
    why: 'Die Seite hat keine, und darin stehen im Autorensystem Organisation und Name der Site.',
  },
  'select-configuration': {
    title: 'Cloud-Konfiguration auf der Seite auswählen',
    why: 'Damit die Seite und alle Seiten darunter sie verwenden.',
  },
  'keep-previous': { title: 'Aktuelle Werte sichern', why: 'Damit sich die Einrichtung hier zurücksetzen lässt.' },
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
    title: 'Zugriff gewähren',
    why: 'Administratoren dürfen die Site ändern; das technische Konto darf ihre Seiten veröffentlichen.',
  },
  'code-sync': {
    title: 'Code synchronisieren',
    why: 'Die Hosts liefern den zuletzt synchronisierten Code aus, ohne Sync keinen.',
  },
  'editor-files': { title: 'Dateien des Editors prüfen', why: 'Ohne sie zeigt der Editor eine weiße Seite.' },
  'verify-preview': {
    title: 'Preview-Host prüfen',
    why: 'Die Konfiguration der Site muss lesbar sein, bevor irgendetwas umgeschaltet wird.',
  },
  'verify-live': { title: 'Live-Host prüfen', why: 'Dasselbe für den Host, den Besucher verwenden.' },
  'may-publish': {
    title: 'Veröffentlichendes Konto prüfen',
    why: 'Veröffentlichen gelingt nur mit dem technischen Konto dieser Autorenumgebung.',
  },
  'cloud-configuration': {
    title: 'Organisation und Namen der Site im Autorensystem einstellen',
    why: 'Damit Seiten auf dieser Site veröffentlicht werden.',
  },
  'configuration-served': {
    title: 'Konfigurationsseite auf dem Preview-Host prüfen',
    why: 'Der Dienst muss ihre Zeilen lesen können.',
  },
  'content-page': {
    title: 'Startseite auf dem Preview-Host prüfen',
    why: 'Das Autorensystem muss den Inhalt an das technische Konto des Dienstes ausliefern.',
  },
  'project-type': {
    title: 'Projekttyp auf repoless umschalten',
    why: 'Zuletzt: Bei früherem Umschalten zeigt der Editor eine weiße Seite.',
  },
};

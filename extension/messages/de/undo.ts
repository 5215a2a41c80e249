import type { undo as englishUndo, undoSteps as englishUndoSteps } from '../en/undo.ts';

export const undo: typeof englishUndo = {
  open: 'Einrichtung zurücksetzen\u00a0…',
  title: 'Einrichtung zurücksetzen',
  text: 'Diese Schritte stellen die vorigen Werte wieder her, zuerst im Autorensystem.',
  reading: 'Ob sich die Einrichtung zurücksetzen lässt, wird geprüft\u00a0…',
  secrets: (names) => `Diese Geheimnisse werden mit der Site gelöscht und lassen sich nicht wiederherstellen: ${names}`,
  apiKeys: (names) => `Diese API-Schlüssel werden mit der Site gelöscht und lassen sich nicht wiederherstellen: ${names}`,
  confirm: 'Jetzt zurücksetzen',
  cancel: 'Einrichtung behalten',
  retry: 'Ab dem fehlgeschlagenen Schritt noch einmal versuchen',
  nothing: 'Die vorigen Werte sind nicht mehr gesichert. Stellen Sie die Site unter „Verlauf“ wieder her, den Projekttyp im Autorensystem.',
  kept: (by, at) => `Die vorigen Werte hat ${by} am ${at} gesichert.`,
};

/** The same steps, seen from the way back. */
export const undoSteps: typeof englishUndoSteps = {
  'create-configuration': {
    title: 'Cloud-Konfiguration entfernen',
    why: 'Sie wurde von hier aus angelegt, und niemand hat sie seither geändert.',
  },
  'select-configuration': { title: 'Auswahl der Cloud-Konfiguration auf der Seite aufheben', why: 'Vorher war keine ausgewählt.' },
  'keep-previous': {
    title: 'Gesicherte Werte löschen',
    why: 'Zuletzt, damit sich ein unterbrochenes Zurücksetzen fortsetzen lässt.',
  },
  'configuration-page': { title: 'Konfigurationsseite entfernen', why: 'Nur, wenn sie von hier aus angelegt wurde.' },
  'register-site': {
    title: 'Konfiguration der Site zurücksetzen',
    why: 'Auf die vorige Version, oder auf keine Site, falls es keine gab.',
  },
  'verify-preview': { title: 'Preview-Host prüfen', why: 'Er muss antworten wie vorher.' },
  'verify-live': { title: 'Live-Host prüfen', why: 'Dasselbe für den Host, den Besucher verwenden.' },
  'cloud-configuration': {
    title: 'Organisation und Namen der Site im Autorensystem zurücksetzen',
    why: 'Damit Seiten dort veröffentlicht werden, wo sie es vorher wurden.',
  },
  'project-type': {
    title: 'Projekttyp zurückschalten',
    why: 'Zuerst, damit dem Editor nie eine Konfiguration fehlt.',
  },
};

import type { undo as englishUndo } from '../en/undo.ts';

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

import type { general as english } from '../en/general.ts';

export const general: typeof english = {
  product: 'Repoless-Einrichtung von Sites',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren ist hier nicht möglich. Der Text ist markiert: Drücken Sie Strg+C, auf einem Mac ⌘C.',
  textToCopy: 'Text zum Kopieren',
  copyAddress: 'Adresse kopieren',
  linkRefused: 'Der Editor lässt diese Ansicht kein Fenster öffnen. Kopieren Sie die Adresse, und öffnen Sie sie in einem neuen Tab.',
  retry: 'Noch einmal versuchen',
  close: 'Schließen',
  loading: 'Wird geladen\u00a0…',
  loaded: 'Geladen',
  reload: 'Ansicht neu laden',
  notLoaded: {
    sentence: 'Dieser Teil der Ansicht konnte nicht geladen werden.',
    next: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal. Misslingt es wieder, kopieren Sie nicht gespeicherte Eingaben, und laden Sie die Ansicht neu.',
  },
  broken: {
    title: 'Die Ansicht funktioniert nicht mehr',
    sentence: 'Beim Anzeigen ist ein unerwarteter Fehler aufgetreten. Nicht gespeicherte Eingaben sind verloren.',
    next: 'Laden Sie die Ansicht neu, oder schließen Sie sie, und öffnen Sie sie wieder. Geschieht es wieder, wenden Sie sich an den Betreiber des Konfigurationsdienstes.',
  },
  what: 'Was passiert ist',
  next: 'Was zu tun ist',
  details: 'Einzelheiten',
  glossary: 'Glossar',
  requestId: (id) => `Nennen Sie diese Nummer, wenn Sie um Hilfe bitten: ${id}`,
  shell: {
    above: 'Gehört zu',
    places: 'Ansichten',
    allSites: (organization) => (organization === '' ? 'Alle Sites' : `Alle Sites von „${organization}“`),
    setup: 'Einrichtung',
    health: 'Zustand',
    rowLink: 'Link zu diesem Eintrag',
    wrong: (count) => (count === 1 ? '1 Fehler' : `${count} Fehler`),
    leave: {
      unsaved: {
        title: 'Ihre Änderung ist noch nicht gespeichert',
        text: 'Wenn Sie die Ansicht jetzt verlassen, ist sie verloren.',
        leave: 'Verlassen, ohne zu speichern',
        stay: 'Bleiben',
      },
      once: {
        title: 'Ein Geheimnis wird nur einmal gezeigt',
        text: 'Wenn Sie die Ansicht jetzt verlassen, sehen Sie es nicht wieder. Kopieren Sie es vorher.',
        leave: 'Trotzdem verlassen',
        stay: 'Bleiben',
      },
      running: {
        title: 'Es wird noch geändert',
        text: 'Wenn Sie die Ansicht jetzt verlassen, werden die übrigen Schritte nicht ausgeführt. Erledigte Schritte bleiben.',
        leave: 'Anhalten und verlassen',
        stay: 'Bleiben',
      },
    },
  },
  start: {
    title: 'Repoless für eine Site aktivieren',
    text: 'Betreiben Sie viele Sites auf einer Codebasis. Geben Sie das Autorensystem und die Wurzelseite einer Site ein. Sie sehen die Einstellungen und einen Plan; ausgeführt wird er erst auf Knopfdruck.',
    author: 'Adresse des Autorensystems',
    authorHelp: 'Zum Beispiel https://author-p12345-e67890.adobeaemcloud.com',
    authorProblem: 'Geben Sie die Adresse des Autorensystems ein. Sie beginnt mit https://.',
    path: 'Pfad der Wurzelseite der Site',
    pathHelp: 'Zum Beispiel /content/wknd',
    pathProblem: 'Geben Sie einen Pfad ein, der mit /content/ beginnt.',
    open: 'Seiteneigenschaften öffnen',
    embedded: 'Im Autorensystem öffnen Sie dieselbe Ansicht mit der Schaltfläche „Repoless-Sites“ in der Kopfzeile des Editors.',
  },
  host: {
    connecting: 'Verbindung mit dem Autorensystem wird aufgebaut\u00a0…',
    unreachable: {
      sentence: 'Das Autorensystem, in dem diese Ansicht läuft, antwortet nicht.',
      next: 'Schließen Sie die Ansicht, und öffnen Sie sie im Editor noch einmal.',
    },
    serviceMissing: {
      sentence: 'Die Adresse des Konfigurationsdienstes ist nicht eingestellt.',
      next: 'Bitten Sie Ihren Administrator, „service“ für diese Erweiterung im Extension Manager einzustellen, oder in settings.json neben der App.',
    },
    serviceInvalid: (address) => ({
      sentence: `„${address}“ ist keine Adresse eines Konfigurationsdienstes.`,
      next: 'Bitten Sie Ihren Administrator, „service“ in der Konfiguration dieser Erweiterung zu korrigieren: Die Adresse beginnt mit https://.',
    }),
    pageMissing: {
      sentence: 'Es ist keine Seite ausgewählt.',
      next: 'Öffnen Sie eine Seite der Site im Editor, und öffnen Sie diese Ansicht dann noch einmal über die Kopfzeile.',
    },
  },
  register: {
    button: 'Repoless-Sites',
    rail: 'Sync-Status',
  },
};

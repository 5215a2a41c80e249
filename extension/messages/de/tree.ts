import type { tree as english } from '../en/tree.ts';

export const tree: typeof english = {
  title: 'Inhaltsbaum',
  text: 'Wählen Sie die Seiten, die eine eigene Site bekommen. Öffnen Sie eine Seite, um die Seiten darunter zu laden.',
  label: 'Seiten',
  columns: { page: 'Seite', level: 'Ebene', kind: 'Art', state: 'Zustand', site: 'Site', configuration: 'Cloud-Konfiguration' },
  covered: 'Teil einer Site',
  levels: { root: 'Wurzel', country: 'Land', locale: 'Sprachraum', page: 'Seite' },
  coveredBy: (site) => `Teil von ${site}`,
  inherited: (from) => `geerbt von ${from}`,
  noConfiguration: 'keine',
  drifts: {
    organization: 'Organisation',
    siteName: 'Name der Site',
    projectType: 'Projekttyp',
    cloudConfiguration: 'keine eigene Cloud-Konfiguration',
    siteRoot: 'Zuordnung der Wurzel',
    deliveryAddress: 'Auslieferungsadresse',
  },
  missingSite: (name) => `${name}: Site existiert nicht`,
  loading: 'Wird gelesen\u00a0…',
  loadingFirst: 'Der Inhaltsbaum wird gelesen\u00a0…',
  empty: 'Unter /content gibt es keine Seite, die Sie lesen dürfen.',
  nothingFound: 'Keine bisher gelesene Seite passt.',
  searched: (found, read) =>
    found === undefined
      ? `${read} ${read === 1 ? 'Seite' : 'Seiten'} bisher gelesen. Die Suche umfasst nur diese.`
      : `${found} von ${read} bisher gelesenen Seiten ${found === 1 ? 'passt' : 'passen'}.`,
  searchedAll: (found, read) =>
    found === undefined ? `${read} Seiten, alle gelesen.` : `${found} von ${read} Seiten ${found === 1 ? 'passt' : 'passen'}.`,
  readAll: 'Den ganzen Baum lesen',
  check: {
    now: (count) => (count === 1 ? 'Die gezeigte Site prüfen' : `Die ${count} gezeigten Sites prüfen`),
    chosen: (count) => (count === 1 ? 'Die gewählte Site prüfen' : `Die ${count} gewählten Sites prüfen`),
    running: (done, total) => `Wird geprüft: ${done} von ${total} fertig\u00a0…`,
    stop: 'Prüfen anhalten',
    stopped: 'Angehalten. Geprüfte Sites behalten ihren Zustand.',
    done: (count, unread) =>
      `${count === 1 ? '1 Site' : `${count} Sites`} geprüft${unread === 0 ? '' : `; ${unread} davon konnten nicht gelesen werden`}.`,
  },
  levelFailed: (path) => `Die Seiten unter ${path} konnten nicht gelesen werden.`,
  readAgain: 'Aktualisieren',
  search: 'Titel, Pfad oder Site suchen',
  stateFilter: 'Zustand',
  anyState: 'Jeder Zustand',
  levelFilter: 'Ebene',
  anyLevel: 'Jede Ebene',
  chooseBelow: (title) => `Unter „${title}“ wählen:`,
  chooseCountries: 'Länder',
  chooseLocales: 'Sprachräume',
  chooseOwn: 'Mit dieser Seite',
  descending: (pages) => `Der Baum wird gelesen: bisher ${pages} Seiten\u00a0…`,
  stop: 'Lesen anhalten',
  chosen: (count) => (count === 0 ? 'Nichts gewählt' : count === 1 ? '1 Seite gewählt' : `${count} Seiten gewählt`),
  clear: 'Auswahl aufheben',
  added: (count) => (count === 0 ? 'Dort ist nichts weiter zu wählen.' : `${count} gewählt.`),
  unread: (levels) =>
    levels === 1
      ? 'Die Seiten unter einer Seite konnten nicht gelesen werden. Öffnen Sie sie noch einmal.'
      : `Die Seiten unter ${levels} Seiten konnten nicht gelesen werden. Öffnen Sie sie noch einmal.`,
  review: 'Sites durchsehen',
  sitesUnread: 'Die Sites des Dienstes konnten nicht gelesen werden; darum ist der Zustand der Seiten unbekannt',
  keys: 'Pfeiltasten bewegen und öffnen, Leertaste wählt, Umschalt+Pfeiltaste erweitert die Auswahl, Strg+A wählt alles.',
  whyNot: {
    root: 'Richten Sie diese Site in ihren Seiteneigenschaften ein.',
    site: 'Diese Seite hat schon eine Site.',
    covered: 'Seiten innerhalb einer Site gehören zu dieser Site.',
    unknown: 'Ihr Zustand ist unbekannt.',
  },
};

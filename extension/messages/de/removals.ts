import type { removals as english } from '../en/removals.ts';

const sites = (many: number) => (many === 1 ? '1 Site' : `${many} Sites`);

export const removals: typeof english = {
  open: 'Entfernen\u00a0…',
  reading: (read, all) => `Was mit den Sites wegfällt, wird gelesen: ${read} von ${all}\u00a0…`,
  failed: 'Das Entfernen konnte nicht geplant werden',
  title: (many) => `${sites(many)} entfernen`,
  text: 'Ihre Adressen antworten nicht mehr, auch config.json nicht, und niemand kann auf ihnen veröffentlichen.',
  stays:
    'Inhalt, Konfigurationsseiten, Repositorys und alle Versionen bleiben, sodass die Sites wiederhergestellt werden können. Geheimnisse und API-Schlüssel lassen sich nicht wiederherstellen.',
  label: 'Sites, die entfernt werden',
  columns: { site: 'Site', state: 'Zustand', goes: 'Fällt mit ihr weg', page: 'Ihre Seite' },
  plans: { ready: 'Wird entfernt', blocked: 'Bleibt', gone: 'Schon entfernt' },
  productionHost: (host) => `${host} bekommt keine Seiten mehr von ihr.`,
  secrets: (names) => `Geheimnisse: ${names}`,
  apiKeys: (names) => `API-Schlüssel: ${names}`,
  more: (many) => `und ${many} weitere`,
  pages: {
    inherits: (page) => `${page} erbt wieder ihre Cloud-Konfiguration.`,
    kept: (page) => `Die Einstellungen von ${page} bleiben, wie sie sind.`,
    gone: (page) => `${page} gibt es nicht mehr.`,
    none: 'Keine Seite im Autorensystem.',
  },
  otherSite:
    'Ihr Repository oder ihre Inhaltswurzel ist anders als in der Liste. Aktualisieren Sie die Liste, und sehen Sie die Site noch einmal an.',
  base: (names) => `Sie ist die Basis von Sites, die bleiben: ${names}. Entfernen Sie diese ebenfalls oder zuerst.`,
  holdsSecret: (names) =>
    `Sie hat das Geheimnis des Repositorys, das bleibende Sites verwenden: ${names}. Speichern Sie es zuerst bei einer von diesen.`,
  leaveOut: (site) => `${site} auslassen`,
  leftOut: (site) => `${site} ausgelassen.`,
  left: (many) =>
    many === 1 ? '1 Site kann nicht entfernt werden, die anderen schon.' : `${many} Sites können nicht entfernt werden, die anderen schon.`,
  nothing: 'Es gibt keine Site mehr, die entfernt werden kann.',
  untried: 'Es gab keinen Testlauf.',
  confirm: 'Geben Sie zur Bestätigung die Anzahl der Sites ein',
  confirmProblem: (many) => `Geben Sie ${many} ein.`,
  now: (many) => `${sites(many)} entfernen`,
  back: 'Zurück zu allen Sites',
  progress: { remove: 'Die Sites werden entfernt', restore: 'Die Sites werden wiederhergestellt' },
  done: (ended, all) => `${ended} von ${all}`,
  stop: 'Anhalten',
  stopping: 'Nach der aktuellen Site wird angehalten\u00a0…',
  states: {
    waiting: 'Wartet',
    running: 'Läuft',
    removed: 'Entfernt',
    gone: 'Schon entfernt',
    stopped: 'Bleibt',
    blocked: 'Bleibt',
    failed: 'Fehlgeschlagen',
    restored: 'Wiederhergestellt',
    'not-restored': 'Nicht wiederhergestellt',
  },
  ended: {
    remove: (many, left) =>
      `${many === 1 ? '1 Site ist' : `${many} Sites sind`} entfernt.${left === 0 ? '' : ` ${left === 1 ? '1 Site ist' : `${left} Sites sind`} noch da.`}`,
    restore: (many, left) =>
      `${many === 1 ? '1 Site ist' : `${many} Sites sind`} wiederhergestellt.${left === 0 ? '' : ` ${left === 1 ? '1 Site ist' : `${left} Sites sind`} es nicht.`}`,
  },
  again: (many) => `Für ${sites(many)} noch einmal planen`,
  restore: (many) => `${sites(many)} wiederherstellen`,
};

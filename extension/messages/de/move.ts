import type { move as english } from '../en/move.ts';

export const move: typeof english = {
  open: 'In andere Umgebung umziehen\u00a0…',
  place: {
    title: 'Sites in eine andere Autorenumgebung umziehen',
    text: 'Die Seiten müssen schon dort sein. Inhaltsadressen, technische Konten, Cloud-Konfigurationen und Zugriff ändern sich nach einem Plan, den Sie zuerst sehen.',
    page: 'Eine Seite dort, deren Site eingerichtet ist',
    read: 'Umzug planen',
  },
  reading: 'Die Sites werden in beiden Umgebungen gelesen\u00a0…',
  failed: 'Der Umzug konnte nicht geplant werden',
  title: (count) => (count === 1 ? '1 Site umziehen' : `${count} Sites umziehen`),
  between: (from, to) => `Von ${from} nach ${to}.`,
  accounts: (old, account) => `Im Zugriff tritt das technische Konto ${account} an die Stelle von ${old}.`,
  accountStays: (old, account) => `Zum Zugriff kommt das technische Konto ${account} hinzu, und ${old} bleibt.`,
  accountUnknown: (author) => `Das technische Konto von ${author} konnte nicht gelesen werden. Es bleibt im Zugriff, wo es steht.`,
  oldPages: 'In der alten Umgebung ändert sich nichts, sodass die Sites zurückkehren können.',
  where: 'Pfade und Konten',
  pathFrom: 'Inhaltspfad in der alten Umgebung',
  pathTo: 'Derselbe Inhalt in der neuen Umgebung',
  pathHelp: 'Nur wenn die Pfade verschieden sind. Zuordnungen darunter ziehen mit um.',
  pathProblem: 'Geben Sie in beiden Feldern einen Pfad ein, der mit /content/ beginnt.',
  account: 'Technisches Konto der neuen Umgebung',
  accountHelp: 'Diese Umgebung zeigt keines. Es steht auf dem Reiter „Authentication“ einer Edge-Delivery-Konfiguration.',
  keep: 'Das alte technische Konto behalten',
  again: 'Noch einmal planen',
  label: 'Sites, die umziehen',
  columns: { site: 'Site', content: 'Inhalt', configuration: 'Cloud-Konfiguration dort', plan: 'Was geschieht' },
  states: { moves: 'Zieht um', arrived: 'Ist schon dort', stays: 'Bleibt, wo sie ist' },
  changes: 'Was sich ändert',
  created: 'Wird angelegt',
  leaveOut: (site) => `${site} auslassen`,
  leftOut: (site) => `${site} ausgelassen.`,
  left: (count) =>
    count === 1 ? '1 Site kann nicht umziehen, die anderen schon.' : `${count} Sites können nicht umziehen, die anderen schon.`,
  nothing: 'Es gibt keine Site mehr, die umziehen kann.',
  apply: (count) => (count === 1 ? '1 Site umziehen' : `${count} Sites umziehen`),
  verify: (count) => (count === 1 ? '1 Site prüfen' : `${count} Sites prüfen`),
  sure: 'Jede Site wird auf ihren Hosts geprüft. Schlägt eine fehl, wird sie wiederhergestellt.',
  untried: 'Es gab keinen Testlauf.',
  back: 'Zurück zu allen Sites',
  run: {
    progress: 'Die Sites ziehen um',
    partway: 'Angehalten und zurückgeholt',
    toTree: 'Zurück zu allen Sites',
    ended: {
      complete: (count, unchanged) =>
        `${count === 1 ? 'Die Site ist in der neuen Umgebung.' : `Alle ${count} Sites sind in der neuen Umgebung.`}${unchanged === 0 ? '' : ` ${unchanged} waren schon dort.`}`,
      failed: (failed, done, astray) =>
        astray > 0
          ? `${failed === 1 ? '1 Site ist fehlgeschlagen und wurde nicht zurückgeholt' : `${failed} Sites sind fehlgeschlagen, ${astray} davon ${astray === 1 ? 'wurde' : 'wurden'} nicht zurückgeholt`}; ${done} umgezogen.`
          : `${failed === 1 ? '1 Site ist fehlgeschlagen und blieb, wo sie war' : `${failed} Sites sind fehlgeschlagen und blieben, wo sie waren`}; ${done} umgezogen.`,
      stopped: (done, left, astray) =>
        `Angehalten. ${done} umgezogen, ${left - astray} sind noch, wo sie waren${astray === 0 ? '' : `, ${astray} nicht zurückgeholt`}.`,
      signedOut: (done, left, astray) =>
        `Ihre Anmeldung ist abgelaufen. ${done} umgezogen, ${left - astray} übrig${astray === 0 ? '' : `, ${astray} nicht zurückgeholt`}.`,
      unreachable: (done, left, astray) =>
        `Der Dienst oder das Autorensystem antwortet nicht mehr. ${done} umgezogen, ${left - astray} übrig${astray === 0 ? '' : `, ${astray} nicht zurückgeholt`}.`,
    },
  },
  undo: (count) => (count === 1 ? '1 Site zurückholen\u00a0…' : `${count} Sites zurückholen\u00a0…`),
  kept: {
    title: 'Nicht beendeter Umzug',
    text: (count, to, time) =>
      `${count === 1 ? 'Der Umzug von 1 Site' : `Der Umzug von ${count} Sites`} nach ${to} wurde am ${time} begonnen und ist vielleicht nicht beendet. Sites, die schon dort sind, werden erkannt.`,
    goOn: 'Den Rest planen',
    discard: 'Verwerfen',
  },
};

import type { simulation as english } from '../en/simulation.ts';

export const simulation = {
  title: 'Auswirkung auf die Seiten',
  occasion: {
    plan: 'Der Plan ändert die Pfadzuordnung dieser Site.',
    row: 'Die Einrichtung dieser Site ändert ihre Pfadzuordnung.',
    restore: 'Das ändert die Pfadzuordnung dieser Site.',
  },
  text: 'Sehen Sie vorher, welche Seiten eine andere Adresse bekommen, ihre verlieren oder kollidieren. Die Simulation selbst ändert nichts.',
  start: 'An den Seiten simulieren',
  stop: 'Anhalten',
  reading: (pages) => (pages === 1 ? '1 Seite gelesen\u00a0…' : `${pages} Seiten gelesen\u00a0…`),
  stopped: 'Die Simulation wurde angehalten.',
  failed: 'Die Seiten konnten nicht gelesen werden',
  none: 'An den zugeordneten Pfaden gibt es keine Seiten.',
  nothing: (pages) =>
    pages === 1 ? 'Die Adresse der 1 Seite bleibt, wie sie ist.' : `Die Adressen aller ${pages} Seiten bleiben, wie sie sind.`,
  counts: {
    collides: (pages) => (pages === 1 ? '1 Seite kollidiert' : `${pages} Seiten kollidieren`),
    vanishes: (pages) => (pages === 1 ? '1 Seite verliert ihre Adresse' : `${pages} Seiten verlieren ihre Adresse`),
    changed: (pages) => (pages === 1 ? '1 Seite bekommt eine andere Adresse' : `${pages} Seiten bekommen eine andere Adresse`),
    appears: (pages) => (pages === 1 ? '1 Seite bekommt eine Adresse' : `${pages} Seiten bekommen eine Adresse`),
    unchanged: (pages) => (pages === 1 ? '1 Seite bleibt, wie sie ist' : `${pages} Seiten bleiben, wie sie sind`),
  },
  list: 'Betroffene Seiten',
  changed: (before, after) => `${before} → ${after}`,
  appears: (after) => `bekommt die Adresse ${after}`,
  vanishes: (before) => `verliert die Adresse ${before}`,
  hiddenBy: (address, other) => `nicht zu sehen: ${address} zeigt ${other}`,
  shares: (address, other) => `teilt sich ${address} mit ${other}`,
  lostFolder: (folder, page) =>
    `Adressen unterhalb von ${folder} ohne eigene Seite zeigen nicht mehr ${page}, denn diese Seite verliert ihre Adresse.`,
  cut: (pages) => `Nur ${pages} Seiten wurden geprüft. Es gibt weitere.`,
  unread: (count, path, why) =>
    `${count === 1 ? '1 Ordner mit Seiten wurde' : `${count} Ordner mit Seiten wurden`} nicht geprüft, darunter ${path}. ${why}`,
} satisfies typeof english;

import type { work as englishWork } from '../en/work.ts';

export const work: typeof englishWork = {
  buttons: {
    verify: 'Site prüfen',
    repair: (differences) => (differences === 1 ? '1 Abweichung beheben' : `${differences} Abweichungen beheben`),
    finish: (steps) => (steps === 1 ? 'Einrichtung abschließen: 1 Schritt' : `Einrichtung abschließen: ${steps} Schritte`),
    enable: 'Repoless aktivieren',
  },
  enabled: (site, organization) =>
    `Danach ist diese Seite die Site „${site}“ von „${organization}“: Ihre Preview- und Live-Adresse antworten, und ihr Projekttyp ist repoless.`,
  chooseFirst: 'Wählen Sie zuerst unter „Neue Einstellungen“ eine Organisation.',
  verified: 'Es wird nichts geändert. Geprüft wird, ob die Hosts die gespeicherte Konfiguration ausliefern.',
  afterwards: (outcomes) => `Danach ${outcomes}.`,
  outcomes: {
    'claim-organization': 'gehört Ihnen die Organisation',
    'create-configuration': 'hat die Seite eine eigene Cloud-Konfiguration',
    'select-configuration': 'verwendet die Seite ihre Cloud-Konfiguration',
    'configuration-page': 'hat die Site eine Konfigurationsseite',
    'register-site': 'kennt der Dienst die Code- und die Inhaltsquelle der Site',
    'store-secret': 'kann der Dienst das externe Repository lesen',
    'map-paths': 'führen die Adressen der Site zu ihren Seiten',
    'set-access': 'haben die richtigen Personen und das technische Konto Zugriff',
    'code-sync': 'liefern die Hosts den Code der Site aus',
    'cloud-configuration': 'nennt das Autorensystem diese Organisation und diese Site',
    'project-type': 'ist der Projekttyp repoless',
  },
  people: {
    claims: (organization) => `Damit werden Sie die erste Administratorin oder der erste Administrator der Organisation „${organization}“.`,
    addsYou: 'Damit werden Sie in die Administratoren der Site aufgenommen.',
    adds: (names) => `Damit wird in die Administratoren der Site aufgenommen: ${names}.`,
    removesYou: 'Damit werden Sie aus den Administratoren der Site entfernt.',
    removes: (names) => `Damit wird aus den Administratoren der Site entfernt: ${names}.`,
    publishes: (names) => `Damit darf auf der Site veröffentlichen: ${names}.`,
  },
};

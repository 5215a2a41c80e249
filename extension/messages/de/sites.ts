import type { production as englishProduction, sites as englishSites } from '../en/sites.ts';

export const sites: typeof englishSites = {
  title: 'Sites auf einer Codebasis',
  places: { sites: 'Alle Sites', tree: 'Inhaltsbaum', repositories: 'Repositorys', rollouts: 'Rollouts' },
  reading: 'Die Sites werden gelesen\u00a0…',
  readFailed: 'Die Sites konnten nicht gelesen werden',
  organizationMissing: {
    sentence: 'Die Konfiguration dieser Seite nennt keine Organisation.',
    next: 'Richten Sie zuerst die Basis-Site in ihren Seiteneigenschaften ein, oder geben Sie die Organisation hier ein.',
  },
  organization: 'Organisation',
  open: 'Öffnen',
  environment: (author) => `Autorenumgebung ${author}`,
};

export const production: typeof englishProduction = {
  open: 'Stage- oder Produktionsumgebung\u00a0…',
  title: 'Sites einer anderen Autorenumgebung',
  text: 'Eine Site für Stage oder Produktion teilt das Repository; ihr Inhalt kommt aus der anderen Umgebung, mit deren technischem Konto.',
  author: 'Adresse des anderen Autorensystems',
  authorHelp: 'Zum Beispiel https://author-p12345-e67890.adobeaemcloud.com',
  authorProblem: 'Geben Sie die Adresse der Autorenumgebung ein. Sie beginnt mit https://.',
  same: 'In dieser Umgebung sind Sie schon.',
  page: 'Eine Seite dort, die eine Site hat oder bekommen soll',
  pageHelp: 'Aus ihrer Konfiguration wird das technische Konto gelesen.',
  pageProblem: 'Geben Sie einen Pfad ein, der mit /content/ beginnt.',
  suffix: 'Suffix der Namen',
  suffixHelp: 'Zum Beispiel prod: wknd-ch-de-prod.',
  suffixProblem: 'Verwenden Sie Kleinbuchstaben, Ziffern und Bindestriche.',
  read: 'Ihren Baum öffnen',
  reading: 'Die andere Umgebung wird gelesen\u00a0…',
  failed: 'Die andere Umgebung konnte nicht gelesen werden',
  missing: (page, author) => ({
    sentence: `Auf ${author} gibt es keine Seite ${page}, oder Sie dürfen sie nicht sehen.`,
    next: 'Geben Sie eine andere Seite dieser Umgebung ein.',
  }),
  cancel: 'Abbrechen',
  now: (author) => `Sie wählen Seiten von ${author}.`,
  account: (account) => `Ihr technisches Konto ist ${account}.`,
  noAccount: 'Sie zeigt kein technisches Konto. Geben Sie es in der Tabelle ein.',
  back: 'Zurück zur ersten Umgebung',
};

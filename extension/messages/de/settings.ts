import type { choices as englishChoices, drift as englishDrift, settings as englishSettings } from '../en/settings.ts';

export const settings: typeof englishSettings = {
  title: 'Aktuelle Einstellungen',
  names: {
    projectType: 'Projekttyp',
    organization: 'Organisation',
    siteName: 'Name der Site',
    configurationPage: 'Konfigurationsseite',
    technicalAccount: 'Technisches Konto',
    cloudConfiguration: 'Cloud-Konfiguration',
    deliveryAddress: 'Auslieferungsadresse',
  },
  repoless: 'repoless',
  otherProjectType: (value) => `nicht repoless (${value})`,
  sources: {
    page: (path) => `von der Seite ${path}`,
    inherited: (from) => `geerbt von ${from}`,
    configuration: (path) => `aus der Konfiguration ${path}`,
    delivery: () => 'aus der Auslieferungsadresse',
    derived: () => 'aus den anderen Einstellungen abgeleitet',
  },
  unset: (names) => `Nicht eingestellt: ${names}.`,
  liveCopy: (of) => `Diese Seite ist eine Live Copy von ${of}.`,
};

export const choices: typeof englishChoices = {
  title: 'Neue Einstellungen',
  text: 'Vorgeschlagen aus den aktuellen Einstellungen. Ändern Sie, was nicht stimmt.',
  organization: 'Organisation',
  organizationHelp: 'Die Organisation auf dem Code-Host.',
  organizationChoiceHelp:
    'Wählen Sie eine Organisation, in der Sie eine Rolle haben, oder geben Sie eine andere auf dem Code-Host ein, um sie in Besitz zu nehmen.',
  organizationChoiceMore:
    'Dies sind die ersten Organisationen, in denen Sie eine Rolle haben. Sie können auch einen anderen Namen eingeben.',
  organizationTitled: (name, title) => `${name} (${title})`,
  organizationMissing: 'Wählen Sie eine Organisation.',
  siteName: 'Name der Site',
  siteNameHelp: 'Teil der Adressen der Site.',
  configurationPage: 'Konfigurationsseite',
  configurationPageHelp: 'Ihre Zeilen werden die öffentliche Konfiguration der Site.',
  codeOwner: 'Eigentümer des Code-Repositorys',
  codeRepo: 'Code-Repository',
  codeRepoHelp: 'Alle Sites auf einer Codebasis verwenden dasselbe.',
  administrators: 'Administratoren',
  administratorsHelp: 'E-Mail-Adressen derer, die die Site verwalten dürfen.',
  addAdministrator: 'Administrator hinzufügen',
  newAdministrator: 'E-Mail-Adresse eines weiteren Administrators',
  removeAdministrator: (name) => `${name} entfernen`,
  administratorListed: (name) => `${name} steht schon in der Liste.`,
  administratorsMissing: 'Fügen Sie mindestens einen Administrator hinzu.',
  technicalAccount: 'Technisches Konto',
  technicalAccountHelp:
    'Steht auf dem Reiter „Authentication“ der Edge-Delivery-Konfiguration. Mit diesem Konto werden die Seiten veröffentlicht.',
  technicalAccountMissing: 'Geben Sie das technische Konto dieses Autorensystems ein. Ohne es kann nicht veröffentlicht werden.',
  pathMissing: 'Geben Sie den Pfad der Seite ein. Er beginnt mit /content/.',
  addresses: 'Adressen der Site',
  preview: 'Preview',
  live: 'Live',
  rest: 'Automatisch eingestellt',
  invalid: 'Korrigieren Sie zuerst die markierten Felder.',
  change: 'Einstellungen ändern',
  reset: 'Zurück zum Vorschlag',
  external: 'Externes Repository',
  code: 'Code',
  codeHost: 'Code-Host',
  externalNone: 'Kein externes Repository ist bereit. Binden Sie eines unter „Sync-Status“ rechts im Editor ein.',
  externalRepository: 'Repository im Build-Management',
  secret: 'Einmal gezeigtes Geheimnis',
  secretHelp:
    'Das Build-Management zeigt es einmal, wenn das Repository mit dieser Site verknüpft wird. Es wird verschlüsselt gespeichert und nie wieder gezeigt.',
  secretStored: 'Eines ist schon gespeichert. Fügen Sie nur dann ein anderes ein, wenn es widerrufen wurde.',
  secretElsewhere: (site) => `Die Site „${site}“ hat das Geheimnis dieses Repositorys; diese Site braucht keines.`,
};

export const drift: typeof englishDrift = {
  title: 'Autorensystem und Konfigurationsdienst weichen voneinander ab',
  line: (field, authoring, service) => `${field}: Im Autorensystem steht „${authoring}“, im Konfigurationsdienst „${service}“.`,
  empty: 'nichts',
  next: 'Korrigieren Sie die Werte unter „Einstellungen ändern“, und wählen Sie dann die Schaltfläche unter „Geplante Schritte“.',
  fields: {
    organization: 'Organisation',
    siteName: 'Name der Site',
    configurationPage: 'Konfigurationsseite',
    technicalAccount: 'Technisches Konto',
    siteRoot: 'Wurzel der Site',
    deliveryAddress: 'Auslieferungsadresse',
  },
};

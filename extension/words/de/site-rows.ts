import type { cells as englishCells, cellSentence as englishCellSentence, rowProblems as englishRowProblems } from '../en/site-rows.ts';

type Data = Readonly<Record<string, string>>;

export const cells: typeof englishCells = {
  siteName: 'Name der Site',
  contentRoot: 'Inhaltswurzel',
  mappings: 'Zuordnungen',
  includes: 'Eingeschlossene Pfade',
  configurationPage: 'Konfigurationsseite',
  cloudConfiguration: 'Cloud-Konfiguration',
  technicalAccount: 'Technisches Konto',
  code: 'Codequelle',
  access: 'Zugriff',
  row: 'Site',
};

/** Why a row did not succeed, and what to do. */
export const rowProblems: typeof englishRowProblems = {
  'page-missing': (data) => ({
    sentence: `Die Seite ${data['page'] ?? ''} gibt es nicht mehr.`,
    next: 'Lesen Sie den Baum noch einmal, und wählen Sie die Seite dort, wo sie jetzt ist.',
  }),
  'name-taken': (data) => ({
    sentence: `Die Site „${data['site'] ?? ''}“ gibt es schon, mit anderem Inhalt (${data['root'] ?? ''}).`,
    next: 'Wählen Sie einen anderen Namen.',
  }),
  'content-root-taken': (data) => ({
    sentence: `Die Site „${data['site'] ?? ''}“ hat diese Inhaltswurzel schon.`,
    next: 'Verwenden Sie den Namen jener Site, oder entfernen Sie sie zuerst.',
  }),
  'not-authorized': (data) => ({
    sentence: data['detail'] ?? data['message'] ?? 'Das dürfen Sie nicht.',
    next: 'Bitten Sie einen Administrator der Organisation oder des Autorensystems um das Recht; versuchen Sie dann die misslungenen noch einmal.',
  }),
  'configuration-page-type': (data) => ({
    sentence: `${data['path'] ?? 'Die Konfigurationsseite'} ist kein Konfigurationsblatt.`,
    next: 'Nennen Sie eine andere Seite, oder legen Sie sie aus der Vorlage für Konfigurationen neu an.',
  }),
  'configuration-shared': (data) => ({
    sentence: `${data['configuration'] ?? 'Die Cloud-Konfiguration'} ist die der Basis-Site.`,
    next: 'Geben Sie der Site eine eigene Konfiguration darunter.',
  }),
  'account-mismatch': (data) => accountMismatch(data),
  'not-verified': (data) => ({
    sentence: `${data['address'] ?? 'Ein Host'} antwortet nicht, was gespeichert wurde${status(data)}.`,
    next: 'Es wurde nichts umgeschaltet. Versuchen Sie die misslungenen in einer Minute noch einmal.',
  }),
  'changed-meanwhile': () => ({
    sentence: 'Jemand anderes ändert diese Site immer wieder.',
    next: 'Lesen Sie noch einmal, und sehen Sie sich an, was daraus wurde.',
  }),
  refused: (data) => ({
    sentence: data['detail'] ?? data['message'] ?? `Der Aufruf wurde abgelehnt${status(data)}.`,
    next: 'Berichtigen Sie, was er sagt, und versuchen Sie die misslungenen noch einmal.',
  }),
  unreachable: (data) => ({
    sentence: data['detail'] ?? `Die andere Seite antwortet nicht${status(data)}.`,
    next: 'Versuchen Sie es in einer Minute noch einmal; was getan ist, bleibt getan und wird erkannt.',
  }),
};

/** What is wrong with a cell. */
export const cellSentence: typeof englishCellSentence = (says) => {
  switch (says.kind) {
    case 'sentence':
      return says.sentence;
    case 'failure':
      return `Der Dienst hat nicht gesagt, ob er das annimmt${says.failure.status === undefined ? '' : ` (Status ${says.failure.status})`}.`;
    case 'twice':
      return `„${says.value}“ steht hier zweimal; jede Site hat ihr eigenes.`;
    case 'name-taken':
      return rowProblems['name-taken']({ site: says.site, root: says.root }).sentence;
    case 'not-relayed':
      return `„${says.value}“ ist kein Pfad einer Cloud-Konfiguration; schreiben Sie einen unter /conf.`;
    case 'account-mismatch':
      return accountMismatch(says.data).sentence;
    default:
      return says satisfies never;
  }
};

function accountMismatch(data: Data) {
  const belongsTo = data['belongsTo'] ?? '';
  const own = data['own'] ?? '';
  const whose = belongsTo === '' ? '' : `; es gehört zu ${belongsTo}`;
  return {
    sentence: `${data['account'] ?? ''} ist nicht das technische Konto von ${data['environment'] ?? 'dieser Umgebung'}${whose}.`,
    next: own === '' ? 'Verwenden Sie das Konto, das der Reiter „Authentication“ dieser Umgebung zeigt.' : `Verwenden Sie ${own}.`,
  };
}

function status(data: Data): string {
  const value = data['status'] ?? '';
  return value === '' ? '' : ` (Status ${value})`;
}

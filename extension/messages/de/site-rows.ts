import type { cells as englishCells, cellSentence as englishCellSentence, rowProblems as englishRowProblems } from '../en/site-rows.ts';
import { failures } from './failures.ts';

type Data = Readonly<Record<string, string>>;

export const cells: typeof englishCells = {
  siteName: 'Name der Site',
  contentRoot: 'Inhaltswurzel',
  mappings: 'Zuordnungen',
  includes: 'Eingeschlossene Pfade',
  excludes: 'Ausgeschlossene Pfade',
  suffix: 'Endung der Inhaltsquelle',
  overlay: 'Überlagerter Inhalt',
  folders: 'Ordner',
  configurationPage: 'Konfigurationsseite',
  cloudConfiguration: 'Cloud-Konfiguration',
  technicalAccount: 'Technisches Konto',
  code: 'Codequelle',
  access: 'Zugriff',
  row: 'Site',
};

const MOVE_ON = 'Lassen Sie die Site noch einmal umziehen, oder holen Sie sie zurück.';

/** Why a row did not succeed, and what to do. */
export const rowProblems: typeof englishRowProblems = {
  'page-missing': (data) => ({
    sentence: `Es gibt keine Seite ${data['page'] ?? ''}.`,
    next: 'Korrigieren Sie die Inhaltswurzel, oder aktualisieren Sie den Baum, und wählen Sie die Seite noch einmal.',
  }),
  'name-taken': (data) => ({
    sentence: `Die Site „${data['site'] ?? ''}“ gibt es schon mit anderem Inhalt (${data['root'] ?? ''}).`,
    next: 'Wählen Sie einen anderen Namen.',
  }),
  'content-root-taken': (data) => ({
    sentence:
      data['host'] !== undefined
        ? `Der Host ${data['host']} der Autorenumgebung gehört einer anderen Organisation.`
        : data['site'] === undefined
          ? 'Eine Site einer anderen Organisation hat diese Inhaltswurzel schon.'
          : `Die Site „${data['site']}“ hat diese Inhaltswurzel schon.`,
    next:
      data['site'] === undefined
        ? 'Gehört der Inhalt Ihrer Organisation, bitten Sie den Betreiber des Konfigurationsdienstes, ihr den Host der Autorenumgebung zuzuweisen.'
        : 'Verwenden Sie den Namen jener Site, oder entfernen Sie sie zuerst.',
  }),
  'site-missing': (data) => ({
    sentence: `Die Site „${data['site'] ?? ''}“ gibt es nicht mehr.`,
    next: 'Stellen Sie sie aus ihrem Verlauf wieder her, oder entfernen Sie sie aus der Liste.',
  }),
  'content-elsewhere': (data) => ({
    sentence: `Die Site „${data['site'] ?? ''}“ bezieht ihren Inhalt von ${data['root'] ?? 'anderswo'}.`,
    next: 'Planen Sie den Umzug von jener Umgebung aus noch einmal, oder entfernen Sie die Site aus der Liste.',
  }),
  'page-not-there': (data) => ({
    sentence: `Auf ${data['author'] ?? 'dem anderen Autorensystem'} gibt es keine Seite ${data['page'] ?? ''}, oder Sie dürfen sie nicht sehen.`,
    next: 'Kopieren Sie die Seiten zuerst dorthin, oder geben Sie an, unter welchem Pfad sie dort liegen.',
  }),
  'configuration-taken': (data) => ({
    sentence: `In der neuen Umgebung nennt die Cloud-Konfiguration ${data['configuration'] ?? ''} die Site „${data['site'] ?? ''}“.`,
    next: 'Wählen Sie für die Seite dort eine eigene Konfiguration aus, oder korrigieren Sie den Namen der Site in dieser.',
  }),
  'not-authorized': (data) => ({
    sentence: data['detail'] ?? data['message'] ?? 'Dazu fehlt Ihnen die Berechtigung.',
    next: 'Bitten Sie einen Administrator der Organisation oder des Autorensystems um die Berechtigung, und überprüfen Sie die Site dann noch einmal.',
  }),
  'configuration-page-type': (data) => ({
    sentence: `${data['path'] ?? 'Die Konfigurationsseite'} ist keine Konfigurationsseite.`,
    next: 'Wählen Sie eine andere Seite, oder erstellen Sie sie neu aus der Vorlage für Konfigurationen.',
  }),
  'configuration-page-parent': (data) => ({
    sentence: `Es gibt keine Seite ${data['parent'] ?? ''}, unter der die Konfigurationsseite angelegt werden kann.`,
    next: 'Wählen Sie eine Konfigurationsseite unter einer vorhandenen Seite.',
  }),
  'configuration-page-name': (data) => ({
    sentence: `Das Autorensystem würde ${data['path'] ?? 'die Konfigurationsseite'} unter einem anderen Namen anlegen.`,
    next: 'Verwenden Sie für den Namen der Konfigurationsseite Kleinbuchstaben, Ziffern, „-“ und „_“.',
  }),
  locked: (data) => ({
    sentence: `${data['path'] ?? 'Die Seite'} ist im Autorensystem von ${data['by'] ?? 'jemand anderem'} gesperrt.`,
    next: `Bitten Sie ${data['by'] ?? 'diese Person'}, die Seite zu entsperren, oder entfernen Sie die Site aus der Liste.`,
  }),
  'not-writable': (data) => ({
    sentence: `Sie dürfen ${data['path'] ?? 'das'} im Autorensystem nicht ändern.`,
    next: 'Bitten Sie den Administrator des Autorensystems dort um Schreibrechte, oder entfernen Sie die Site aus der Liste.',
  }),
  'configuration-shared': (data) => ({
    sentence: `${data['configuration'] ?? 'Die Cloud-Konfiguration'} gehört zur Basis-Site.`,
    next: 'Geben Sie der Site eine eigene Konfiguration darunter.',
  }),
  'account-mismatch': (data) => accountMismatch(data),
  'not-verified': (data) => ({
    sentence: `${data['address'] ?? 'Ein Host'} liefert nicht die gespeicherte Konfiguration aus${status(data)}.`,
    next: 'Es wurde nichts umgeschaltet. Versuchen Sie es in einer Minute noch einmal.',
  }),
  'not-ready': () => ({
    sentence: 'Die Site ist nicht bereit, umgeschaltet zu werden.',
    next: 'Versuchen Sie die fehlgeschlagenen Sites noch einmal.',
  }),
  'changed-meanwhile': () => ({
    sentence: 'Jemand anderes ändert diese Site immer wieder.',
    next: 'Aktualisieren Sie die Ansicht, und sehen Sie sich die Änderung an.',
  }),
  'left-moved': (data) => ({
    sentence: `Die Site wurde nicht zurückgeholt und bezieht ihren Inhalt von ${data['author'] ?? 'der neuen Umgebung'}.`,
    next: MOVE_ON,
  }),
  'left-moved-changed': (data) => ({
    sentence: `Jemand hat die Site inzwischen geändert. Sie wurde nicht zurückgeholt und bezieht ihren Inhalt von ${data['author'] ?? 'der neuen Umgebung'}.`,
    next: MOVE_ON,
  }),
  'left-unknown': (data) => ({
    sentence: `Der Dienst hat nicht bestätigt, ob die Site umgezogen ist. Ihr Inhalt kommt vielleicht von ${data['author'] ?? 'der neuen Umgebung'}.`,
    next: MOVE_ON,
  }),
  'page-left-inheriting': (data) => ({
    sentence: `Die Site wurde nicht entfernt, aber ${data['page'] ?? ''} wählt ihre Cloud-Konfiguration ${data['configuration'] ?? ''} nicht mehr aus.`,
    next: `Die Seite wird jetzt auf der übergeordneten Site veröffentlicht. Planen Sie das Entfernen noch einmal, oder wählen Sie ${data['configuration'] ?? ''} auf dieser Seite im Autorensystem aus.`,
  }),
  'made-anew': (data) => ({
    sentence: `Jemand hat inzwischen eine andere Site „${data['site'] ?? ''}“ angelegt. Die entfernte wurde deshalb nicht wiederhergestellt.`,
    next: 'Ihre Versionen stehen im Verlauf der Site mit diesem Namen. Fragen Sie, wer die neue angelegt hat.',
  }),
  refused: (data) => ({
    sentence: data['detail'] ?? data['message'] ?? `Die Anfrage wurde abgelehnt${status(data)}.`,
    next: 'Überprüfen Sie die Site, und korrigieren Sie das Problem.',
  }),
  'signed-out': (data) => ({
    sentence: data['detail'] ?? 'Ihre Anmeldung ist abgelaufen.',
    next: 'Melden Sie sich wieder an, und fahren Sie dann fort. Erledigte Schritte bleiben erhalten.',
  }),
  unreachable: (data) => ({
    sentence: data['detail'] ?? `Das andere System antwortet nicht${status(data)}.`,
    next: 'Versuchen Sie es in einer Minute noch einmal. Erledigte Schritte bleiben erhalten.',
  }),
};

/** What is wrong with a cell. */
export const cellSentence: typeof englishCellSentence = (says) => {
  switch (says.kind) {
    case 'sentence':
      return says.sentence;
    case 'failure':
      if (says.failure.finding?.kind === 'no-dry-run') return failures.noDryRun[says.failure.finding.reason].sentence;
      return `Der Dienst hat diesen Wert nicht bestätigt${says.failure.status === undefined ? '' : ` (Status ${says.failure.status})`}.`;
    case 'twice':
      return `„${says.value}“ wird zweimal verwendet. Wählen Sie einen anderen Namen.`;
    case 'name-taken':
      return rowProblems['name-taken']({ site: says.site, root: says.root }).sentence;
    case 'not-proxied':
      return `„${says.value}“ ist kein Pfad einer Cloud-Konfiguration. Geben Sie einen unter /conf ein.`;
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

import { STEP_IDS } from '#extension/setup/plan.ts';
import type { BlockMessages, blocked as english } from '../en/blocked.ts';
import { failures } from './failures.ts';
import { steps } from './plan.ts';

type Data = Readonly<Record<string, string>>;

const you = 'Sie';
const operator = 'der Betreiber des Konfigurationsdienstes';
const authoringAdministrator = 'der Administrator des Autorensystems';
const organizationAdministrator = (data: Data) => `ein Administrator der Organisation${quoted(data['organization'] ?? data['org'])}`;
const siteAdministrator = (data: Data) => `ein Administrator der Site${quoted(data['site'])}`;
const developer = (data: Data) => `der Entwickler von ${repositoryOf(data)}`;

export const blocked: typeof english = {
  'not-signed-in': () => ({ why: 'Sie sind nicht angemeldet.', turn: you, who: 'Melden Sie sich oben an.' }),
  'answer-unread': (data) => ({ why: unread(data), turn: you, who: failures.unexpected.next }),
  'organization-missing': (data) => ({
    why: data['detail'] ?? 'Auf dem Code-Host gibt es diese Organisation nicht.',
    turn: you,
    who: 'Korrigieren Sie die Organisation unter „Neue Einstellungen“, oder legen Sie sie auf dem Code-Host an.',
  }),
  'organization-not-claimed': (data) => ({
    why: `Die Organisation${quoted(data['organization'] ?? data['org'])} ist noch nicht in Besitz genommen, oder Sie haben keine Rolle in ihr.`,
    turn: `der Eigentümer der Organisation${quoted(data['organization'] ?? data['org'])}`,
    who: 'Ein Administrator der Organisation gibt Ihnen Zugriff. Hat sie keinen, nimmt ihr Eigentümer auf dem Code-Host sie in Besitz, oder der Betreiber.',
  }),
  'not-administrator': (data) => ({
    why: data['detail'] ?? 'Sie dürfen diese Site nicht verwalten.',
    turn: siteAdministrator(data),
    who: 'Ein Administrator der Site oder der Organisation kann Ihnen die Rolle „admin“ geben.',
  }),
  'name-invalid': (data) => ({
    why:
      data['root'] === undefined
        ? (data['problem'] ?? 'Ein Name ist nicht gültig.')
        : `Die Site${quoted(data['name'])} gehört zu ${data['root']}. Geben Sie einen anderen Namen ein.`,
    turn: you,
    who: 'Korrigieren Sie ihn unter „Neue Einstellungen“.',
  }),
  'host-label-too-long': (data) => ({
    why: data['problem'] ?? 'Der Hostname wäre länger, als DNS erlaubt.',
    turn: you,
    who: 'Kürzen Sie den Namen der Site unter „Neue Einstellungen“.',
  }),
  'mapping-invalid': (data) => ({
    why: data['problem'] ?? 'Eine Pfadzuordnung ist nicht gültig.',
    turn: you,
    who: 'Korrigieren Sie den Pfad unter „Neue Einstellungen“.',
  }),
  'technical-account-missing': () => ({
    why: 'Das technische Konto ist nicht bekannt.',
    turn: you,
    who: 'Übernehmen Sie es vom Reiter „Authentication“ der Edge-Delivery-Konfiguration nach „Neue Einstellungen“.',
  }),
  'content-root-taken': (data) =>
    data['site'] === undefined
      ? {
          why:
            data['host'] === undefined
              ? 'Eine Site einer anderen Organisation hat diese Inhaltswurzel schon.'
              : `Der Host ${data['host']} der Autorenumgebung gehört einer anderen Organisation.`,
          turn: operator,
          who: 'Gehört der Inhalt Ihrer Organisation, weist er ihr den Host der Autorenumgebung zu.',
        }
      : {
          why: `Eine andere Site${quoted(data['site'])} hat diese Inhaltswurzel schon.`,
          turn: siteAdministrator(data),
          who: 'Verwenden Sie den Namen jener Site, oder bitten Sie einen ihrer Administratoren, die Zuordnung zu entfernen.',
        },
  'secret-missing': (data) =>
    data['registered'] === 'no'
      ? {
          why: 'Das Geheimnis des externen Repositorys ist noch nicht gespeichert, und das Build-Management erstellt eines nur für registrierte Sites.',
          turn: you,
          who: `Öffnen Sie „Sync-Status“ rechts im Editor und dort unter „Externe Repositorys“ das Repository, und erstellen Sie die Site${quoted(data['site'])} unter „Eine Site erstellen“: Sie wird registriert und das Geheimnis gespeichert. Wählen Sie dann hier „Aktualisieren“. Haben Sie das aktuelle Geheimnis des Repositorys schon, fügen Sie es stattdessen unter „Neue Einstellungen“ ein.`,
        }
      : {
          why: 'Das Geheimnis des externen Repositorys ist noch nicht gespeichert.',
          turn: you,
          who: 'Fügen Sie es unter „Neue Einstellungen“ ein. Das Build-Management zeigt es, wenn das Repository mit dieser Site verknüpft wird.',
        },
  'secret-invalid': (data) => ({
    why: data['problem'] ?? 'Das Geheimnis ist nicht gültig.',
    turn: you,
    who: 'Fügen Sie es unter „Neue Einstellungen“ noch einmal ein.',
  }),
  'inherited-configuration': (data) => ({
    why: `Die Cloud-Konfiguration ist${data['from'] === undefined ? '' : ` von ${data['from']}`} geerbt; eine Änderung träfe auch andere Sites.`,
    turn: you,
    who: 'Geben Sie dieser Seite in ihren Seiteneigenschaften eine eigene Konfiguration.',
  }),
  'cloud-configuration-missing': (data) => ({
    why: `${data['page'] ?? 'Diese Seite'} hat keine Cloud-Konfiguration für Organisation und Name der Site.`,
    turn: you,
    who: 'Wählen Sie in den Seiteneigenschaften der Wurzel der Site eine Cloud-Konfiguration, dann hier „Aktualisieren“.',
  }),
  'cloud-configuration-taken': (data) => ({
    why: `${data['page'] ?? 'Diese Seite'} hat keine Cloud-Konfiguration, und ${data['configuration'] ?? 'die mit ihrem Namen'} gehört zur Site ${data['names'] ?? 'einer anderen Seite'}.`,
    turn: you,
    who: 'Wählen Sie in den Seiteneigenschaften der Wurzel der Site eine Cloud-Konfiguration, dann hier „Aktualisieren“.',
  }),
  'configuration-page-type': (data) => ({
    why: `${data['path'] ?? 'Die Konfigurationsseite'} ist keine Konfigurationsseite; ihr Typ ist${quoted(data['resourceType'])}.`,
    turn: you,
    who: 'Geben Sie unter „Neue Einstellungen“ eine andere Konfigurationsseite ein, oder legen Sie sie aus der Vorlage neu an.',
  }),
  refused: (data) => ({
    why: data['detail'] ?? data['message'] ?? 'Der Konfigurationsdienst lehnt diesen Schritt ab.',
    turn: you,
    who: 'Beheben Sie das Problem, und wählen Sie dann „Aktualisieren“.',
  }),
  'repository-missing': (data) => ({
    why: `Auf dem Code-Host gibt es kein Repository ${repositoryOf(data)}.`,
    turn: developer(data),
    who: 'Das Repository wird angelegt, oder Sie korrigieren Eigentümer und Namen unter „Neue Einstellungen“.',
  }),
  'repository-private': (data) => ({
    why: `Der Konfigurationsdienst darf das Repository ${repositoryOf(data)} nicht lesen: Es ist privat, oder es gibt es nicht.`,
    turn: developer(data),
    who: 'Das Repository wird öffentlich gemacht, oder Sie korrigieren Eigentümer und Namen unter „Neue Einstellungen“.',
  }),
  'repository-not-ready': (data) => ({
    why: `Das externe Repository ${repositoryOf(data)} ist im Build-Management nicht bereit; sein Zustand ist ${data['state'] ?? 'unbekannt'}.`,
    turn: organizationAdministrator(data),
    who: 'Er schließt die Einbindung im Build-Management ab.',
  }),
  'branch-missing': (data) => ({
    why: `Das Repository ${repositoryOf(data)} hat keinen Branch „${data['branch'] ?? 'main'}“.`,
    turn: developer(data),
    who: `Ein Branch „${data['branch'] ?? 'main'}“ wird angelegt: Seinen Code liefert jede Site aus.`,
  }),
  'code-host-unreachable': (data) => ({
    why: data['detail'] ?? 'Der Code-Host antwortet nicht.',
    turn: 'der Code-Host',
    who: 'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an den Betreiber des Konfigurationsdienstes.',
  }),
  'sync-failed': (data) => syncFailed(data),
  'sync-slow': () => ({
    why: 'Der Code-Sync läuft nach 15 Minuten noch immer.',
    turn: 'der Code-Sync',
    who: 'Sehen Sie unter „Sync-Status“ nach. Versuchen Sie es noch einmal, wenn er beendet ist.',
  }),
  'sync-stopped': () => ({
    why: 'Jemand hat den Code-Sync angehalten.',
    turn: you,
    who: 'Versuchen Sie es noch einmal, um neu zu synchronisieren.',
  }),
  'editor-files-missing': (data) => ({
    why: `Auf dem Branch „main“ von ${repositoryOf(data)} fehlen: ${data['missing'] ?? 'Dateien des Editors'}. Ohne sie zeigt der Editor eine weiße Seite.`,
    turn: developer(data),
    who: 'Die Dateien werden dem Repository hinzugefügt.',
  }),
  'editor-files-not-served': (data) => ({
    why: `Der Code ist synchronisiert, aber der Preview-Host liefert nicht aus: ${data['missing'] ?? 'die Dateien des Editors'}.`,
    turn: 'der Entwickler des Repositorys',
    who: 'Prüfen Sie den Branch „main“ und .hlxignore.',
  }),
  'host-guarded': (data) => ({
    why: `Sie haben keinen Zugriff auf ${data['address'] ?? 'den Preview-Host'}; darum ist keine Prüfung möglich.`,
    turn: siteAdministrator(data),
    who: 'Er gibt Ihnen Zugriff oder schließt die Einrichtung selbst ab.',
  }),
  'configuration-not-served': (data) => ({
    why: `Der Preview-Host hat die Konfigurationsseite nicht (${data['address'] ?? ''}).${said(data)}`,
    turn: you,
    who: 'Prüfen Sie, ob es die Konfigurationsseite im Autorensystem gibt und ob diese Site sie ausliefert.',
  }),
  'content-missing': (data) => ({
    why: `Der Preview-Host hat keine Startseite (${data['address'] ?? ''}).${said(data)}`,
    turn: you,
    who: 'Prüfen Sie, ob es die Seite im Autorensystem gibt und ob ihre Cloud-Konfiguration diese Organisation und Site nennt.',
  }),
  'content-refused': (data) => ({
    why: `Das Autorensystem liefert den Inhalt nicht an den Konfigurationsdienst aus: Es antwortet ${data['status'] ?? '401'}.`,
    turn: operator,
    who: 'Er gibt dem Dienst mit dem technischen Konto Zugang zum Inhalt (Einstellung CONTENT_TOKEN), oder der Administrator des Autorensystems öffnet die Auslieferung.',
  }),
  'content-unreachable': (data) => ({
    why: `Der Preview-Host kann die Startseite nicht zeigen (${data['address'] ?? ''}).${said(data)}`,
    turn: authoringAdministrator,
    who: 'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an den Administrator des Autorensystems.',
  }),
  'technical-account-mismatch': (data) => ({
    why: `Diese Autorenumgebung veröffentlicht mit ${data['own'] ?? 'einem anderen Konto'}, nicht mit ${data['account'] ?? 'diesem'}.`,
    turn: you,
    who: `Geben Sie ${data['own'] ?? 'jenes Konto'} als technisches Konto unter „Neue Einstellungen“ ein.`,
  }),
  'technical-account-unlisted': (data) => ({
    why: `Das technische Konto ${data['account'] ?? ''} darf auf dieser Site nicht veröffentlichen.`,
    turn: you,
    who: 'Wählen Sie „Aktualisieren“: Der Schritt „Zugriff gewähren“ trägt es ein.',
  }),
  'not-checkable': () => ({
    why: 'Der Konfigurationsdienst bietet diese Prüfung nicht.',
    turn: operator,
    who: 'Der Konfigurationsdienst wird aktualisiert; er ist vielleicht älter als diese Ansicht.',
  }),
  'service-unreachable': () => ({
    why: 'Der Konfigurationsdienst antwortet nicht.',
    turn: operator,
    who: 'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an seinen Betreiber.',
  }),
  'authoring-unreachable': () => ({
    why: 'Das Autorensystem antwortet nicht.',
    turn: authoringAdministrator,
    who: 'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an seinen Administrator.',
  }),
  'base-of-sites': (data) => ({
    why: `Die Site${quoted(data['site'])} ist die Basis anderer Sites: ${named(data)}.`,
    turn: you,
    who: 'Entfernen Sie diese Sites zuerst.',
  }),
  'secret-of-sites': (data) => ({
    why: `Die Site${quoted(data['site'])} hat das Geheimnis eines Repositorys, das andere Sites verwenden: ${named(data)}.`,
    turn: you,
    who: 'Speichern Sie das Geheimnis zuerst bei einer von diesen.',
  }),
  'sites-unlisted': (data) => ({
    why: `Die anderen Sites der Organisation${quoted(data['organization'])} sind für Sie nicht sichtbar. Einige können von${quoted(data['site'])} abhängen oder deren Geheimnis brauchen.`,
    turn: organizationAdministrator(data),
    who: 'Er setzt die Einrichtung zurück oder gibt Ihnen eine Rolle in der Organisation.',
  }),
  'version-missing': (data) => ({
    why: `Version ${data['version'] ?? ''} der Site${quoted(data['site'])}, die von vor der Einrichtung, gibt es nicht mehr.`,
    turn: you,
    who: 'Stellen Sie unter „Verlauf“ eine andere Version wieder her, und setzen Sie den Projekttyp im Autorensystem selbst.',
  }),
  'earlier-step': (data) => ({
    why: `Der Schritt folgt auf${quoted(data['title'] ?? titleOf(data['step']))}; der ist blockiert.`,
    turn: '',
    who: '',
  }),
};

function syncFailed(data: Data): BlockMessages {
  const error = data['error'] ?? '';
  switch (data['problem']) {
    case 'secret-refused':
      return {
        why: `Der Code-Sync ist fehlgeschlagen, weil das externe Repository das Geheimnis der Site nicht annimmt: „${error}“.`,
        turn: organizationAdministrator(data),
        who: 'Fügen Sie das Geheimnis, das das Build-Management für dieses Repository zeigt, unter „Neue Einstellungen“ ein, und versuchen Sie es noch einmal.',
      };
    case 'not-readable':
    case 'repository-missing':
    case 'branch-missing':
    case 'too-large':
      return {
        why: `Der Code-Sync ist fehlgeschlagen: „${error}“.`,
        turn: developer(data),
        who: 'Das Repository wird korrigiert. Versuchen Sie es dann noch einmal.',
      };
    case 'address-refused':
      return {
        why: `Der Code-Sync ist fehlgeschlagen: „${error}“.`,
        turn: operator,
        who: 'Die Adresse dieser Codequelle wird erlaubt.',
      };
    default:
      return {
        why: `Der Code-Sync ist fehlgeschlagen: „${error}“.`,
        turn: 'die Codequelle',
        who: 'Versuchen Sie es in einigen Minuten noch einmal.',
      };
  }
}

function unread({ from, about = '' }: Data): string {
  return failures.unread[from === 'authoring' || from === 'host' ? from : 'service'](about);
}

function repositoryOf(data: Data): string {
  return `${data['owner'] ?? ''}/${data['repo'] ?? ''}`;
}

function said(data: Data): string {
  const detail = data['detail'] ?? '';
  return detail === '' ? '' : ` Er sagt: ${detail}`;
}

function titleOf(step: string | undefined): string {
  return STEP_IDS.filter((id) => id === step).map((id) => steps[id].title)[0] ?? 'einen früheren Schritt';
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : ` „${name}“`;
}

/** The first sites by name, and how many there are besides. */
function named({ sites = '', more = '0' }: Data): string {
  return more === '0' ? sites : `${sites} und ${more} weitere`;
}

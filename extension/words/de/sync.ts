import type { sync as english } from '../en/sync.ts';

/** What a failed job means for the person, and what to do next. The job's own message stands beside it. */
const problems: typeof english.problems = {
  'secret-refused': ({ holder }) => ({
    sentence: `Das externe Repository nimmt das Geheimnis nicht an, das die Site „${holder}“ hat: Es wurde falsch kopiert, oder es wurde widerrufen, weil das Repository mit einer anderen Site verknüpft wurde.`,
    next: 'Fügen Sie das Geheimnis ein, das das Build-Management jetzt für dieses Repository zeigt. Ein neues bekommen Sie, wenn Sie das Repository noch einmal verknüpfen.',
  }),
  'not-readable': () => ({
    sentence: 'Der Code-Host lässt den Konfigurationsdienst dieses Repository nicht lesen.',
    next: 'Machen Sie das Repository öffentlich, oder geben Sie dem Dienst auf dem Code-Host Zugriff; synchronisieren Sie dann noch einmal.',
  }),
  'repository-missing': () => ({
    sentence: 'Die Codequelle hat kein solches Repository.',
    next: 'Berichtigen Sie in der Codequelle der Site den Eigentümer und den Namen des Repositorys, und synchronisieren Sie dann noch einmal.',
  }),
  'branch-missing': ({ branch }) => ({
    sentence: `Das Repository hat keinen Branch „${branch}“.`,
    next: 'Wählen Sie einen Branch, den es gibt, oder pushen Sie diesen zuerst.',
  }),
  'rate-limited': () => ({
    sentence: 'Die Codequelle wird zu oft gefragt und lehnt eine Zeit lang weitere Anfragen ab.',
    next: 'Warten Sie einige Minuten, und synchronisieren Sie dann noch einmal.',
  }),
  outage: () => ({
    sentence: 'Die Codequelle antwortet nicht, wie sie soll. Was vorher synchronisiert wurde, wird weiter ausgeliefert.',
    next: 'Warten Sie, bis sie wieder antwortet, und synchronisieren Sie dann noch einmal. Sonst ist mit Ihren Sites alles in Ordnung.',
  }),
  'too-large': () => ({
    sentence: 'Das Repository oder eine Datei darin ist größer, als der Konfigurationsdienst annimmt.',
    next: 'Nehmen Sie große Dateien heraus, oder nennen Sie sie in .hlxignore; synchronisieren Sie dann noch einmal.',
  }),
  interrupted: () => ({
    sentence:
      'Der Konfigurationsdienst wurde während des Synchronisierens neu gestartet. Was vorher synchronisiert wurde, wird weiter ausgeliefert.',
    next: 'Synchronisieren Sie noch einmal.',
  }),
  'address-refused': () => ({
    sentence: 'Der Konfigurationsdienst darf die Adresse dieser Codequelle nicht aufrufen.',
    next: 'Bitten Sie die Betreiber des Konfigurationsdienstes, sie zu erlauben, oder berichtigen Sie die Codequelle der Site.',
  }),
  other: () => ({
    sentence: 'Der Sync kam nicht zu Ende. Was vorher synchronisiert wurde, wird weiter ausgeliefert.',
    next: 'Synchronisieren Sie noch einmal; kommt es wieder, sagen Sie es den Betreibern des Konfigurationsdienstes.',
  }),
};

const siteCount = (count: number) => (count === 1 ? '1 Site' : `${count} Sites`);

export const sync: typeof english = {
  title: 'Sync-Status',
  reading: 'Die Sites werden gelesen …',
  scope: (organization) => `Alle Sites von ${organization}`,
  search: 'Sites und Repositorys suchen',
  searchSites: 'Sites suchen',
  counts: (repositories, sites) => `${siteCount(sites)} in ${repositories} ${repositories === 1 ? 'Repository' : 'Repositorys'}`,
  found: (count) => (count === 0 ? 'Nichts gefunden' : `${count} gefunden`),
  empty: {
    sentence: 'Noch hat keine Site dieser Organisation Code.',
    next: 'Öffnen Sie die Seiteneigenschaften, und aktivieren Sie repoless für eine Site.',
  },
  pageMissing: (path) => ({
    sentence: `Es gibt keine Seite ${path}.`,
    next: 'Öffnen Sie eine Seite einer Site im Editor, und öffnen Sie diese Ansicht dann noch einmal.',
  }),
  notRegistered: (site) =>
    `Die geöffnete Seite gehört zu keiner registrierten Site („${site}“ ist nicht registriert). Gezeigt werden alle Sites der Organisation.`,
  noCode: (site) => `Die Site „${site}“ hat noch keine Codequelle. Gezeigt werden alle Sites der Organisation.`,
  onlyThisSite: 'Sie dürfen die Sites der Organisation nicht auflisten; darum wird nur die Site dieser Seite gezeigt.',
  repositories: 'Repositorys',
  back: 'Alle Repositorys',
  open: (name) => `${name} öffnen`,
  siteCount,
  types: { github: 'Code-Host', byogit: 'Externes Repository' },
  shared: (count) =>
    count === 1 ? 'Eine Site verwendet diesen Code.' : `${count} Sites teilen diesen Code: Er wird einmal für alle synchronisiert.`,
  branches: 'Branches',
  branch: 'Branch',
  branchHelp: 'Wählen Sie einen, oder schreiben Sie den Namen eines anderen.',
  branchesMissing: 'Noch wurde kein Branch synchronisiert.',
  moreBranches: (count) => (count === 1 ? '1 weiteren Branch zeigen' : `${count} weitere Branches zeigen`),
  syncCode: 'Code synchronisieren',
  syncAgain: 'Neu synchronisieren',
  syncBranch: (branch) => `Neu synchronisieren: ${branch}`,
  stop: 'Anhalten',
  stopBranch: (branch) => `Anhalten: ${branch}`,
  starting: 'Wird gestartet …',
  joined: (branch) => `${branch} wird schon synchronisiert; hier sehen Sie diesen Sync.`,
  started: (branch) => `Sync von ${branch} gestartet.`,
  branchInvalid: 'Schreiben Sie den Namen eines Branch; er braucht einen Buchstaben oder eine Ziffer.',
  standings: {
    never: 'Nie synchronisiert',
    waiting: 'Wartet',
    running: 'Wird synchronisiert',
    done: 'Aktuell',
    stopped: 'Angehalten',
    failed: 'Misslungen',
  },
  phases: {
    collect: 'Änderungen werden gesucht',
    sync: 'Dateien werden geholt',
    postprocess: 'Dateien werden bereitgestellt',
    completed: 'Fertig',
  },
  progress: (branch) => `Sync von ${branch}`,
  files: (done, total) => (total === 0 ? 'Dateien werden gezählt' : `${done} von ${total} Dateien`),
  leftOut: (failed, ignored) =>
    [failed > 0 ? `${failed} nicht zu bekommen` : '', ignored > 0 ? `${ignored} nicht beachtet` : '']
      .filter((part) => part !== '')
      .join(', '),
  commit: 'Commit',
  noCommit: 'noch nicht bekannt',
  when: 'Wann',
  by: 'Durch',
  byNobody: 'nicht genannt',
  left: 'Weggelassen',
  live: 'Live',
  lost: 'Keine Verbindung; es wird weiter versucht',
  looking: 'Wird ab und zu gelesen',
  jobReading: 'Der Sync wird gelesen …',
  jobMissing: 'Dieser Branch wurde noch nie synchronisiert.',
  earlier: 'Frühere Syncs',
  means: 'Was das bedeutet',
  message: 'Meldung des Syncs',
  problems,
  announced: (branch, standing) => `${branch}: ${standing}`,
  sites: 'Sites',
  ownSite: (site) => `${site} (diese Seite)`,
  secret: {
    label: 'Neues Geheimnis',
    help: (holder) => `Es wird versiegelt bei der Site „${holder}“ gespeichert und nie wieder gezeigt.`,
    store: 'Speichern und neu synchronisieren',
    storing: 'Wird gespeichert …',
    stored: 'Das Geheimnis ist gespeichert. Es wird neu synchronisiert …',
    missing: 'Fügen Sie zuerst das Geheimnis ein.',
    holderMissing: {
      sentence: 'Keine Site dieses Repositorys hat dessen Geheimnis.',
      next: 'Stellen Sie die Codequelle der ersten Site mit dem Geheimnisnamen „cm-byog“ ein, und fügen Sie das Geheimnis dann hier ein.',
    },
  },
  oldCode: {
    title: 'Eine Site zeigt noch alten Code',
    text: 'Vergleicht den letzten Push mit dem, was ausgeliefert wird, und zeigt, was auf dem Weg geschah.',
    check: 'Jetzt vergleichen',
    checking: 'Wird verglichen …',
    pushed: 'Letzter Push, der ankam',
    served: 'Ausgeliefert',
    none: 'keiner',
    same: 'Was zuletzt gepusht wurde, wird ausgeliefert. Laden Sie die Seite ohne den Cache des Browsers neu, um es zu sehen.',
    behind: 'Was ausgeliefert wird, ist älter als der letzte Push.',
    syncing: 'Der letzte Push wird gerade synchronisiert.',
    failed: 'Der letzte Sync ist misslungen; der Grund steht oben.',
    neverSynced: 'Dieser Branch wurde noch nie synchronisiert.',
    noPush: 'Hier kam kein Push dieses Branch an.',
    refused: 'Der letzte Push kam an, wurde aber abgelehnt.',
    compare: 'Das ist der Commit, der ausgeliefert wird. Vergleichen Sie ihn mit dem Branch auf dem Code-Host.',
    next: {
      same: 'Es ist nichts zu tun.',
      behind: 'Synchronisieren Sie jetzt den Code.',
      syncing: 'Warten Sie, bis er fertig ist.',
      failed: 'Tun Sie, was beim misslungenen Sync steht.',
      neverSynced: 'Synchronisieren Sie jetzt den Code.',
      noPush:
        'Sehen Sie beim Git-Anbieter nach dem Webhook: nach Adresse, Geheimnis und letzten Zustellungen. Synchronisieren Sie von Hand, bis er funktioniert.',
      compare: 'Synchronisieren Sie jetzt den Code, wo sie sich unterscheiden.',
      refused: 'Lesen Sie unten den Grund bei der Zustellung, beheben Sie ihn, und senden Sie sie noch einmal.',
    },
  },
};

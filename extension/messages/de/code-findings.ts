import type { codeFindings as english } from '../en/code-findings.ts';

const HERE = 'öffnen Sie „Sync-Status“ rechts im Editor';
const PANEL = 'Öffnen Sie „Sync-Status“ rechts im Editor';

/** Findings about the code that the site is served with. */
export const codeFindings: typeof english = {
  'code-sync-fresh': {
    fine: (d) => ({
      finding: `Der Code wurde${at(d['time'])} synchronisiert${d['commit'] === '' ? '' : `, Commit ${short(d['commit'])}`}.`,
    }),
    otherwise: (d) => ({
      finding: `Der letzte Code-Sync ist fehlgeschlagen: ${d['error']}`,
      consequence: 'Die Site zeigt alten Code oder gar keinen.',
      fix: `${PANEL}. Dort stehen die Ursache und was zu tun ist.`,
    }),
    unknown: () => ({
      finding: 'Das Ergebnis des letzten Code-Syncs ist unbekannt.',
      fix: 'Registrieren Sie zuerst die Site, und prüfen Sie dann noch einmal.',
    }),
    variants: {
      never: () => ({
        finding: 'Der Code wurde noch nie synchronisiert.',
        consequence: 'Die Site hat keinen Code: Der Editor zeigt eine weiße Seite.',
        fix: `${PANEL}, und synchronisieren Sie den Code.`,
      }),
      running: () => ({ finding: 'Der Code wird synchronisiert.' }),
      behind: (d) => ({
        finding: `Der Branch „main“ ist bei Commit ${short(d['head'])}, ausgeliefert wird aber ${short(d['commit'])}.`,
        consequence: 'Die Site zeigt alten Code: Der letzte Push hat keinen Sync ausgelöst.',
        fix: `Hat eben erst jemand gepusht, prüfen Sie in einer Minute noch einmal. Sonst ${HERE}, und synchronisieren Sie den Code. Sehen Sie danach beim Code-Host oder beim Git-Anbieter nach den Zustellungen des Webhooks.`,
      }),
      gone: (d) => ({
        finding: `Ausgeliefert wird der zuletzt synchronisierte Code, neuerer kann aber nicht synchronisiert werden: ${lost(d)}`,
        consequence: 'Die Site behält den Code des letzten Syncs.',
        fix: `Stellen Sie das Repository und den Branch wieder bereit, dann ${HERE}, und synchronisieren Sie den Code.`,
      }),
      uncompared: (d) => ({
        finding: `Der Code wurde${at(d['time'])} synchronisiert, Commit ${short(d['commit'])}, aber der Branch konnte nicht zum Vergleich gelesen werden.${after(d['detail'])}`,
        fix: `Vergleichen Sie diesen Commit selbst mit dem Branch. Unterscheiden sie sich, ${HERE}, und synchronisieren Sie den Code.`,
      }),
      stopped: () => ({
        finding: 'Jemand hat den letzten Code-Sync angehalten.',
        consequence: 'Die Site zeigt vielleicht alten Code.',
        fix: `${PANEL}, und synchronisieren Sie den Code noch einmal.`,
      }),
      secret: (d) => ({
        finding: `Der letzte Code-Sync ist fehlgeschlagen: ${d['error']}`,
        consequence:
          'Das Geheimnis ist falsch, oder es wurde widerrufen, weil das Repository mit einer anderen Site verknüpft wurde; die Site zeigt alten Code.',
        fix: `${PANEL}, und fügen Sie dort das neue Geheimnis ein.`,
      }),
    },
  },
  'secret-present': {
    fine: () => ({ finding: 'Das Geheimnis des externen Repositorys ist gespeichert.' }),
    otherwise: () => ({
      finding: 'Das Geheimnis des externen Repositorys fehlt.',
      consequence: 'Bei keiner Site mit diesem Repository kann der Code synchronisiert werden.',
      fix: `${PANEL}, und fügen Sie das Geheimnis dort ein; das Build-Management zeigt ein neues, wenn das Repository noch einmal verknüpft wird.`,
    }),
    unknown: () => ({
      finding: 'Es konnte nicht geprüft werden, ob das Geheimnis gespeichert ist.',
      fix: 'Registrieren Sie zuerst die Site, und prüfen Sie dann noch einmal.',
    }),
    variants: {
      'not-needed': () => ({ finding: 'Der Code kommt vom Code-Host; ein Geheimnis wird nicht gebraucht.' }),
      elsewhere: () => ({ finding: 'Die erste Site dieses Repositorys hat das Geheimnis; diese braucht keines.' }),
      superfluous: () => ({
        finding: 'Diese Site hat ein Geheimnis, obwohl sie nicht die erste des Repositorys ist.',
        consequence: 'Es wird nie verwendet und kann mit dem gültigen verwechselt werden.',
        fix: 'Entfernen Sie es: DELETE für das Geheimnis „cm-byog“ dieser Site.',
      }),
    },
  },
};

function lost({ lost: what, repository = '' }: Readonly<Record<string, string>>): string {
  if (what === 'repository') return `Das Repository ${repository} gibt es nicht mehr.`;
  if (what === 'permission') return `Das Repository ${repository} lässt sich nicht lesen. Es ist privat, oder es gibt es nicht mehr.`;
  return `Das Repository ${repository} hat keinen Branch „main“ mehr.`;
}

function short(commit = ''): string {
  return commit.slice(0, 10);
}

function after(detail = ''): string {
  return detail === '' ? '' : ` ${detail}`;
}

function at(time: string | undefined): string {
  return time === undefined || time === '' ? '' : ` am ${time.slice(0, 16).replace('T', ' ')} UTC`;
}

import type { CheckMessages } from '../finding-messages.ts';
import type { settingFindings as english } from '../en/setting-findings.ts';

const ENABLE = 'Wählen Sie die Schaltfläche unter „Einrichtung“.';

const config = (host: string): CheckMessages => ({
  fine: () => ({ finding: `Der ${host} liefert config.json aus, wie der Dienst sie gespeichert hat.` }),
  otherwise: (d) => ({
    finding: `${d['address']} liefert nicht die richtige Konfiguration.`,
    consequence: 'Der Editor zeigt vielleicht eine weiße Seite.',
    fix: ENABLE,
  }),
  unknown: (d) => ({
    finding: `Die Antwort von ${d['address'] ?? host}${(d['status'] ?? '') === '' ? '' : ` (Status ${d['status']})`} konnte nicht mit der gespeicherten Konfiguration verglichen werden.`,
    fix: 'Registrieren Sie zuerst die Site, oder versuchen Sie es in einer Minute noch einmal.',
  }),
  variants: {
    missing: (d) => ({
      finding: `${d['address']} antwortet mit 404.`,
      consequence: 'Der Editor zeigt eine weiße Seite, und Pfadzuordnungen haben keine Wirkung.',
      fix: ENABLE,
    }),
    differs: (d) => ({
      finding: `${d['address']} weicht von der gespeicherten Konfiguration ab.`,
      consequence: 'Besucher und der Editor sehen alte Pfadzuordnungen.',
      fix: 'Warten Sie eine Minute, und prüfen Sie noch einmal. Bleibt es dabei, wenden Sie sich an den Betreiber des Konfigurationsdienstes. Bei Hosts des öffentlichen Dienstes suchen Sie im Repository nach einem config.json.',
    }),
  },
});

/** Findings about the authoring system, the hosts and the repository. */
export const settingFindings: typeof english = {
  'configuration-page': {
    fine: (d) => ({ finding: `${d['path']} ist eine Konfigurationsseite.` }),
    otherwise: (d) => ({ finding: `Unter ${d['path']} gibt es keine Konfigurationsseite.`, fix: ENABLE }),
    variants: {
      missing: (d) => ({
        finding: `Es gibt keine Seite ${d['path']}.`,
        consequence: 'Die Site hat keine Konfigurationsseite; der Editor meldet vielleicht einen Fehler.',
        fix: ENABLE,
      }),
      type: (d) => ({
        finding: `${d['path']} ist eine Seite eines anderen Typs (${d['resourceType']}).`,
        consequence: 'Sie kann nicht als Konfigurationsseite gelesen werden.',
        fix: 'Legen Sie sie aus der Vorlage für Konfigurationen neu an, oder geben Sie unter „Neue Einstellungen“ eine andere Seite ein.',
      }),
    },
  },
  'config-preview': config('Preview-Host'),
  'config-live': config('Live-Host'),
  'config-shadowed': {
    fine: () => ({ finding: 'Das Repository enthält kein config.json.' }),
    otherwise: () => ({
      finding: 'Das Repository enthält eine Datei config.json.',
      consequence:
        'Die Hosts dieses Dienstes beachten sie nicht und liefern die gespeicherte Konfiguration. Auf Hosts des öffentlichen Dienstes verdeckt sie die Konfiguration jeder Site, die dieses Repository verwendet.',
      fix: 'Entfernen Sie config.json aus dem Branch main des Repositorys.',
    }),
    unknown: () => ({
      finding: 'Das Repository konnte nicht gelesen werden.',
      fix: 'Sehen Sie selbst im Repository nach: Es darf kein config.json enthalten.',
    }),
  },
  'editor-files': {
    fine: () => ({ finding: 'Alle Dateien, die der Editor braucht, werden ausgeliefert.' }),
    otherwise: (d) => ({
      finding: `Nicht ausgeliefert: ${d['missing']}.`,
      consequence: 'Der Editor zeigt eine weiße Seite oder bietet keine Blöcke an.',
      fix: `Fügen Sie dem Branch main des Repositorys die fehlenden Dateien hinzu: ${d['absent']}.`,
    }),
    variants: {
      unseen: (d) => ({
        finding: `Nicht ausgeliefert: ${d['missing']}. Ob das Repository sie enthält, konnte nicht geprüft werden.`,
        consequence: 'Der Editor zeigt eine weiße Seite oder bietet keine Blöcke an.',
        fix: 'Sehen Sie in den Branch main des Repositorys. Synchronisieren Sie den Code, wenn er sie enthält. Sonst fügen Sie sie hinzu.',
      }),
      'not-synced': (d) => ({
        finding: `Nicht ausgeliefert: ${d['missing']}. Das Repository enthält sie.`,
        consequence: 'Der Editor zeigt eine weiße Seite oder bietet keine Blöcke an.',
        fix: 'Synchronisieren Sie den Code unter „Sync-Status“ rechts im Editor. Fehlen die Dateien dann noch immer, prüfen Sie, ob .hlxignore sie nennt.',
      }),
      'in-repository': (d) => ({
        finding: `Noch nicht ausgeliefert: ${d['missing']}. Das Repository enthält sie.`,
        consequence: 'Bis dahin zeigt der Editor vielleicht eine weiße Seite oder bietet keine Blöcke an.',
        fix: 'Es ist nichts zu tun. Der nächste Code-Sync des Branch main fügt sie hinzu.',
      }),
      protected: (d) => ({
        finding: `Der Preview-Host ist geschützt (Status ${d['status']}). Nur wen der Zugriff der Site nennt, kann ihn lesen; seine Dateien konnten von hier aus nicht geprüft werden.`,
        consequence:
          'Das ist richtig, wenn es beabsichtigt ist. Was den Host ohne Token liest, auch der Editor, bekommt keine Seiten und Dateien.',
        fix: 'Um den Preview-Host zu öffnen, entfernen Sie „preview“ oder „site“ aus der Zugriffskonfiguration der Site, oder setzen Sie dort „requireAuth“ auf false.',
      }),
    },
    unknown: () => ({
      finding: 'Es konnte nicht geprüft werden, ob die Dateien ausgeliefert werden, die der Editor braucht.',
      fix: 'Registrieren Sie die Site, und prüfen Sie dann noch einmal.',
    }),
  },
  'project-type': {
    fine: () => ({ finding: 'Der Projekttyp ist repoless.' }),
    otherwise: () => ({
      finding: 'Der Projekttyp ist nicht repoless.',
      consequence: 'Das Autorensystem veröffentlicht noch auf die alte Art.',
      fix: ENABLE,
    }),
    variants: {
      'too-early': () => ({
        finding: 'Der Projekttyp wurde auf repoless umgeschaltet, bevor die Site registriert war.',
        consequence: 'Der Editor zeigt eine weiße Seite.',
        fix: 'Wählen Sie die Schaltfläche unter „Einrichtung“; damit wird die Site registriert.',
      }),
    },
  },
  'organization-and-site-name': {
    fine: () => ({ finding: 'Organisation und Name der Site in der Edge-Delivery-Konfiguration sind die der Site.' }),
    otherwise: (d) => ({
      finding: `Die Edge-Delivery-Konfiguration nennt ${pair(d['configuredOrganization'], d['configuredSite'])}, die Site ist ${pair(d['wantedOrganization'], d['wantedSite'])}.`,
      consequence: 'Seiten werden auf einer anderen Site veröffentlicht, oder nirgends.',
      fix: ENABLE,
    }),
  },
  'cloud-configuration-own': {
    fine: (d) => ({ finding: `Die Seite hat eine eigene Cloud-Konfiguration: ${d['configuration']}.` }),
    otherwise: (d) => ({
      finding: `Die Cloud-Konfiguration ist von ${d['from']} geerbt.`,
      consequence: 'Diese Seite wird auf der Site der anderen Seite veröffentlicht.',
      fix: 'Schalten Sie in den Seiteneigenschaften die Vererbung aus, und wählen Sie eine Konfiguration für diese Seite allein.',
    }),
    variants: {
      missing: () => ({
        finding: 'Die Seite hat keine Cloud-Konfiguration.',
        consequence: 'Organisation und Name der Site lassen sich nirgends einstellen.',
        fix: 'Wählen Sie die Schaltfläche unter „Einrichtung“, die eine anlegt, oder wählen Sie eine in den Seiteneigenschaften der Wurzel der Site.',
      }),
    },
  },
  'delivery-answers': {
    fine: () => ({ finding: 'Die Auslieferungsadresse antwortet.' }),
    otherwise: (d) => ({
      finding: `Die Auslieferungsadresse antwortet mit Status ${d['status']}.`,
      consequence: 'Seiten können nicht aus dem Autorensystem geholt werden.',
      fix: 'Prüfen Sie Organisation und Namen der Site in der Edge-Delivery-Konfiguration, und ob es die Seite gibt.',
    }),
    unknown: () => ({
      finding: 'Die Auslieferungsadresse war nicht erreichbar.',
      fix: 'Versuchen Sie es in einer Minute noch einmal.',
    }),
    variants: {
      protected: (d) => ({
        finding: `Die Auslieferungsadresse antwortet Ihnen mit Status ${d['status']}.`,
        consequence: 'Das ist richtig, wo nur das technische Konto sie lesen darf.',
      }),
    },
  },
  'obsolete-files': {
    fine: () => ({ finding: 'Das Repository enthält keine Dateien, die nicht mehr gebraucht werden.' }),
    otherwise: (d) => ({
      finding: `Noch im Repository: ${d['files']}.`,
      consequence: 'Keine. Sie werden ignoriert, sobald die Site registriert ist.',
      fix: 'Entfernen Sie sie, wenn keine andere Site sie braucht.',
    }),
    unknown: () => ({ finding: 'Das Repository konnte nicht gelesen werden.' }),
  },
};

function pair(organization: string | undefined, site: string | undefined): string {
  return `„${organization ?? ''} / ${site ?? ''}“`;
}

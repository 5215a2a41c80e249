import type { serviceFindings as english } from '../en/service-findings.ts';
import { timeLeft } from '../time-left.ts';

const ENABLE = 'Wählen Sie die Schaltfläche unter „Einrichtung“.';
const NO_PAGES = 'Jede Seite antwortet mit 404.';

/** Findings about what the configuration service holds. */
export const serviceFindings: typeof english = {
  'signed-in': {
    fine: (d) => ({ finding: `Sie sind als ${d['email']} angemeldet, noch ${timeLeft('de', d['minutes'])}.` }),
    otherwise: () => ({
      finding: 'Sie sind nicht angemeldet.',
      consequence: 'Nichts kann eingerichtet werden.',
      fix: 'Melden Sie sich an.',
    }),
    variants: {
      'ends-soon': (d) => ({
        finding: `Ihre Anmeldung läuft in ${timeLeft('de', d['minutes'])} ab.`,
        consequence: 'Sie kann ablaufen, während die Site eingerichtet wird. Erledigte Schritte bleiben erhalten.',
        fix: 'Melden Sie sich noch einmal an, bevor Sie beginnen.',
      }),
    },
  },
  'organization-claimed': {
    fine: (d) => ({ finding: `Die Organisation „${d['organization']}“ ist in Besitz genommen.` }),
    otherwise: (d) => ({
      finding: `Die Organisation „${d['organization']}“ ist nicht in Besitz genommen, oder Sie haben keine Rolle in ihr.`,
      consequence: 'Sie können in ihr keine Site registrieren.',
      fix: 'Ist sie in Besitz genommen, bitten Sie einen ihrer Administratoren um Zugriff. Sonst kann ihr Eigentümer auf dem Code-Host sie in Besitz nehmen, oder ein Betreiber des Konfigurationsdienstes.',
    }),
    variants: {
      name: (d) => ({
        finding: d['problem'] ?? `„${d['name']}“ ist kein gültiger Name einer Organisation.`,
        consequence: 'Der Dienst kennt keine solche Organisation, und sie kann nicht Teil eines Hostnamens sein.',
        fix: 'Korrigieren Sie die Organisation in der Edge-Delivery-Konfiguration.',
      }),
    },
  },
  'site-registered': {
    fine: (d) => ({ finding: `Die Site „${d['site']}“ von „${d['organization']}“ ist registriert.` }),
    otherwise: (d) => ({
      finding: `Die Site „${d['site']}“ von „${d['organization']}“ ist nicht registriert.`,
      consequence: 'Ihre Adressen antworten mit 404, und ihre Seiten können nicht veröffentlicht werden.',
      fix: ENABLE,
    }),
  },
  'caller-administers': {
    fine: () => ({ finding: 'Sie dürfen diese Site verwalten.' }),
    otherwise: (d) => ({
      finding: 'Sie dürfen diese Site nicht verwalten.',
      consequence: 'Ihre Änderungen werden abgelehnt.',
      fix:
        (d['administrators'] ?? '') === ''
          ? 'Bitten Sie einen Administrator der Organisation, Sie hinzuzufügen.'
          : `Bitten Sie einen Administrator, Sie hinzuzufügen: ${d['administrators']}.`,
    }),
    variants: {
      unadministered: (d) => ({
        finding:
          'Die Site hat keinen eigenen Administrator, wie jede mit einem Klick erstellte Site, und Sie verwalten ihre Organisation nicht.',
        consequence: 'Ihre Änderungen an Zugriff, API-Schlüsseln und dergleichen werden abgelehnt.',
        fix:
          (d['administrators'] ?? '') === ''
            ? 'Bitten Sie einen Administrator der Organisation um die Rolle „admin“.'
            : `Bitten Sie einen Administrator der Organisation um die Rolle „admin“: ${d['administrators']}.`,
      }),
    },
  },
  'technical-account-listed': {
    fine: (d) => ({ finding: `Das technische Konto ${d['technicalAccount']} darf veröffentlichen.` }),
    otherwise: (d) => ({
      finding: `Das technische Konto ${d['technicalAccount']} darf nicht veröffentlichen.`,
      consequence: 'Das Veröffentlichen schlägt ohne Fehlermeldung fehl.',
      fix: ENABLE,
    }),
    unknown: () => ({
      finding: 'Es konnte nicht geprüft werden, ob das technische Konto veröffentlichen darf: Die Site oder das Konto fehlt.',
      fix: 'Geben Sie das technische Konto unter „Neue Einstellungen“ ein. Es steht auf dem Reiter „Authentication“ der Edge-Delivery-Konfiguration.',
    }),
  },
  'technical-account-environment': {
    fine: () => ({ finding: 'Kein technisches Konto einer anderen Umgebung steht in der Liste.' }),
    otherwise: (d) => ({
      finding: `Das technische Konto in der Liste gehört zu einer anderen Umgebung: ${d['others']}.`,
      consequence: 'Seiten dieser Umgebung können nicht veröffentlicht werden.',
      fix: `Ersetzen Sie es durch ${d['technicalAccount']}. ${ENABLE}`,
    }),
  },
  'wildcard-administrators': {
    fine: () => ({ finding: 'Die Administratoren sind einzeln genannt.' }),
    otherwise: (d) => ({
      finding: `Die Liste der Administratoren enthält ${d['entries']}.`,
      consequence: 'Mehr Personen als beabsichtigt können diese Site ändern.',
      fix: 'Nennen Sie die Administratoren unter „Neue Einstellungen“ einzeln.',
    }),
  },
  'groups-exist': {
    fine: (d) => ({ finding: `Alle Gruppen in den Zugriffslisten dieser Site gibt es: ${d['groups']}.` }),
    otherwise: (d) => ({
      finding: `Diese Gruppen gibt es nicht: ${d['missing']}.`,
      consequence:
        'Der Eintrag hat keine Wirkung: Frühere Mitglieder der Gruppe können die Site nicht verwalten, veröffentlichen oder lesen.',
      fix: 'Entfernen Sie unter „Zugriff“ den Eintrag, oder legen Sie die Gruppe wieder an.',
    }),
    unknown: () => ({
      finding: 'Es konnte nicht geprüft werden, ob es die Gruppen in den Zugriffslisten dieser Site gibt.',
      fix: 'Fragen Sie einen Administrator der Organisation. Er kann ihre Gruppen sehen.',
    }),
    variants: {
      none: () => ({ finding: 'Die Zugriffslisten dieser Site enthalten keine Gruppen.' }),
    },
  },
  'content-address-site': {
    fine: () => ({ finding: 'Der Inhalt kommt von der eigenen Auslieferungsadresse dieser Site.' }),
    otherwise: (d) => ({
      finding: `Die Inhaltsadresse gehört zur Site „${d['addressSite']}“ von „${d['addressOrg']}“.`,
      consequence: 'Seiten werden abgelehnt oder antworten immer mit 404.',
      fix: ENABLE,
    }),
    variants: {
      'other-source': (d) => ({
        finding: `Der Inhalt kommt aus einer anderen Quelle: ${d['address']}.`,
        consequence: 'Seiten dieses Autorensystems erscheinen nicht auf der Site.',
        fix: ENABLE,
      }),
      'other-author': (d) => ({
        finding: `Der Inhalt kommt aus einem anderen Autorensystem: ${d['addressAuthor']}.`,
        consequence: 'Seiten dieses Autorensystems erscheinen nicht auf der Site.',
        fix: 'Verwenden Sie für diese Umgebung eine eigene Site, oder wählen Sie die Schaltfläche unter „Einrichtung“, um die Site hierher zu holen.',
      }),
    },
  },
  'content-root-single': {
    fine: (d) => ({ finding: `Keine andere Site hat die Inhaltswurzel ${d['siteRoot']}.` }),
    otherwise: (d) => ({
      finding: `Die Site „${d['other']}“ hat die Inhaltswurzel ${d['siteRoot']} schon.`,
      consequence: 'Eine Inhaltswurzel kann nur zu einer Site gehören; darum kann diese Site nicht registriert werden.',
      fix: `Verwenden Sie den Namen „${d['other']}“, oder bitten Sie den Administrator jener Site, die Zuordnung zu entfernen.`,
    }),
    variants: {
      'other-organization': (d) => ({
        finding: `Eine Site einer anderen Organisation hat die Inhaltswurzel ${d['siteRoot']} schon.`,
        consequence: 'Eine Inhaltswurzel kann nur zu einer Site gehören; darum kann diese Site nicht registriert werden.',
        fix: 'Gehört der Inhalt Ihrer Organisation, bitten Sie den Betreiber des Konfigurationsdienstes, ihr den Host der Autorenumgebung zuzuweisen.',
      }),
      'other-host': (d) => ({
        finding: `Der Host ${d['host']} der Autorenumgebung gehört einer anderen Organisation.`,
        consequence: `Keine Site Ihrer Organisation kann die Inhaltswurzel ${d['siteRoot']} haben; darum kann die Site nicht gespeichert werden.`,
        fix: 'Gehört der Inhalt Ihrer Organisation, bitten Sie den Betreiber des Konfigurationsdienstes, ihr den Host zuzuweisen.',
      }),
    },
  },
  'host-label': {
    fine: () => ({ finding: 'Der Hostname ist kurz genug.' }),
    otherwise: (d) => ({
      finding: d['problem'] ?? 'Der Hostname ist zu lang.',
      consequence: 'Die Site kann keine Adresse haben.',
      fix: 'Kürzen Sie den Namen der Site unter „Neue Einstellungen“.',
    }),
  },
  'mapping-site-root': {
    fine: (d) => ({ finding: `${d['siteRoot']} und alle Seiten darunter sind „/“ zugeordnet.` }),
    otherwise: () => ({ finding: 'Die Wurzel der Site ist nicht zugeordnet.', consequence: NO_PAGES, fix: ENABLE }),
    variants: {
      missing: (d) => ({ finding: `${d['siteRoot']} ist nicht „/“ zugeordnet.`, consequence: NO_PAGES, fix: ENABLE }),
      'other-root': (d) => ({
        finding: `„/“ ist ${d['root']} zugeordnet, nicht ${d['siteRoot']}.`,
        consequence: 'Die Site zeigt einen anderen Teil des Inhalts.',
        fix: ENABLE,
      }),
      'trailing-slash': (d) => ({
        finding: `Der Zuordnung von ${d['siteRoot']} fehlt der Schrägstrich am Ende.`,
        consequence: 'Sie gilt nur für die Wurzelseite; die Seiten darunter antworten mit 404.',
        fix: ENABLE,
      }),
      'not-included': (d) => ({
        finding: `${d['siteRoot']} gehört nicht zu den Pfaden, die veröffentlicht werden.`,
        consequence: 'Die Seiten darunter können nicht veröffentlicht werden.',
        fix: ENABLE,
      }),
      'start-not-included': (d) => ({
        finding: `Seiten unter ${d['siteRoot']} werden veröffentlicht, die Startseite aber nicht.`,
        consequence: '„/“ antwortet mit 404.',
        fix: 'Schließen Sie die Startseite ein, oder schließen Sie sie nicht mehr aus.',
      }),
      elsewhere: (d) => ({
        finding: `${d['siteRoot']} wird unter „${d['address']}“ veröffentlicht, nicht unter „/“.`,
        consequence: 'Wer „/“ besucht, sieht eine andere Seite oder keine.',
        fix: 'Ordnen Sie die Seite „/“ zu, wenn sie die Startseite sein soll.',
      }),
    },
  },
  'mapping-configuration': {
    fine: (d) => ({ finding: `${d['path']} ist ${d['configurationPath']} zugeordnet.` }),
    otherwise: () => ({
      finding: 'Die Konfigurationsseite ist nicht zugeordnet.',
      consequence: 'Die Site hat keine eigene Konfiguration.',
      fix: ENABLE,
    }),
    variants: {
      missing: (d) => ({
        finding: `Keine Seite ist ${d['configurationPath']} zugeordnet.`,
        consequence: 'Die Konfigurationsseite hat keine Wirkung.',
        fix: ENABLE,
      }),
      'trailing-slash': (d) => ({
        finding: `Die Zuordnung von ${d['mapped']} hat einen Schrägstrich am Ende.`,
        consequence: 'Das Autorensystem kann sie für die Seiten darunter halten und veröffentlicht die Konfigurationsseite dann nicht.',
        fix: ENABLE,
      }),
      'other-page': (d) => ({
        finding: `${d['mapped']} ist statt ${d['path']} zugeordnet.`,
        consequence: 'Diese Konfigurationsseite hat keine Wirkung.',
        fix: ENABLE,
      }),
    },
  },
};

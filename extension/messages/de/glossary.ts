import type { glossary as english } from '../en/glossary.ts';

export const glossary: typeof english = {
  title: 'Glossar',
  entries: {
    repoless: {
      term: 'Ohne eigenes Repository (repoless)',
      means:
        'Viele Sites teilen ein Code-Repository, und der Konfigurationsdienst speichert die Konfiguration jeder Site. „Projekttyp“ unter „Aktuelle Einstellungen“ sagt, ob eine Seite das verwendet.',
    },
    site: {
      term: 'Site',
      means:
        'Der Inhalt unter einer Inhaltswurzel, mit dem Code eines Repositorys ausgeliefert unter eigener Preview- und Live-Adresse. „Alle Sites“ zeigt die Sites einer Organisation.',
    },
    organization: {
      term: 'Organisation',
      means:
        'Die Eigentümerin von Sites, mit demselben Namen wie der Eigentümer des Codes auf dem Code-Host. Wählen Sie sie unter „Neue Einstellungen“. Ihre Benutzer und Gruppen stehen unter „Zugriff“.',
    },
    baseSite: {
      term: 'Basis-Site',
      means:
        'Die Site, die zuerst eingerichtet wird und deren Code und Administratoren neue Sites teilen. Wählen Sie sie beim Durchsehen neuer Sites.',
    },
    contentRoot: {
      term: 'Inhaltswurzel',
      means:
        'Die Seite des Autorensystems, an der eine Site beginnt. Sie gehört zu genau einer Site. „Alle Sites“ zeigt sie für jede Site.',
    },
    deliveryAddress: {
      term: 'Auslieferungsadresse',
      means:
        'Die Adresse im Autorensystem, von der der Konfigurationsdienst den Inhalt einer Site liest. Sie steht unter „Aktuelle Einstellungen“.',
    },
    technicalAccount: {
      term: 'Technisches Konto',
      means:
        'Das Konto, mit dem eine Autorenumgebung Seiten veröffentlicht. Der Reiter „Authentication“ der Edge-Delivery-Konfiguration zeigt es, und die Liste „Konfigurations-Administratoren“ unter „Zugriff“ muss es enthalten.',
    },
    cloudConfiguration: {
      term: 'Cloud-Konfiguration',
      means:
        'Die Stelle im Autorensystem, unter /conf, die Organisation und Name der Site einer Seite speichert. Eine Seite ohne eigene erbt die einer Seite darüber.',
    },
    configurationPage: {
      term: 'Konfigurationsseite',
      means:
        'Eine Seite des Autorensystems, deren Zeilen zur öffentlichen Konfiguration einer Site werden. Ihr Pfad steht unter „Aktuelle Einstellungen“.',
    },
    mapping: {
      term: 'Zuordnung',
      means:
        'Eine Regel, die aus einem Inhaltspfad den Pfad macht, den Besucher sehen. Der Plan setzt die Zuordnungen einer Site. „An den Seiten simulieren“ zeigt, was eine Änderung mit den Adressen von Seiten macht, bevor sie gespeichert wird, und „Verlauf“ zeigt die Änderungen.',
    },
    profile: {
      term: 'Profil',
      means:
        'Konfiguration, die mehrere Sites teilen. Eine Site, die ein Profil erweitert, verwendet dessen Werte, außer denen, die sie selbst setzt. Eine Site, die kein Profil nennt, verwendet das Profil „default“, falls es dieses gibt.',
    },
    rollout: {
      term: 'Rollout',
      means:
        'Eine Änderung vieler Sites, die der Dienst Site für Site ausführt: dieselben Bearbeitungen oder eine neue Konfiguration eines Profils. Er geht in Wellen vor, mit Prüfungen dazwischen, und lässt sich anhalten und rückgängig machen. „Rollouts“ zeigt sie.',
    },
    wave: {
      term: 'Welle',
      means: 'Die Sites, die ein Rollout ändert, bevor er sie prüft und weitergeht: zum Beispiel eine Site, dann 10 %, dann alle.',
    },
    drift: {
      term: 'Abweichung',
      means:
        'Ein Unterschied zwischen den Einstellungen im Autorensystem und der Konfiguration im Dienst. Die Seiteneigenschaften zeigen ihn, und der Zustand der Site ist „Abweichend“.',
    },
    testRun: {
      term: 'Testlauf',
      means:
        'Die Prüfung einer Änderung, ohne sie zu speichern, auf der Kommandozeile und in der API „dry run“ genannt. Neue Sites durchlaufen einen, bevor sie eingerichtet werden.',
    },
    codeSource: {
      term: 'Codequelle',
      means:
        'Das Repository, mit dessen Code eine Site ausgeliefert wird: auf dem Code-Host oder ein externes Repository. „Sync-Status“ zeigt es mit den Sites, die es teilen.',
    },
    codeSync: {
      term: 'Code-Sync',
      means:
        'Kopiert die Dateien eines Branch von der Codequelle in den Konfigurationsdienst, einmal für alle Sites, die sie teilen. „Sync-Status“ zeigt seinen Fortschritt.',
    },
    externalRepository: {
      term: 'Externes Repository',
      means:
        'Ein Repository eines anderen Git-Anbieters, über das Build-Management angebunden. Binden Sie es in „Sync-Status“ ein, und verknüpfen Sie es dort mit seiner ersten Site.',
    },
    hosts: {
      term: 'Preview- und Live-Host',
      means:
        'Die beiden Hosts, die eine Site ausliefern: Preview für Autoren, Live für Besucher. Ihre Adressen werden gezeigt, wenn die Site eingerichtet ist.',
    },
  },
};

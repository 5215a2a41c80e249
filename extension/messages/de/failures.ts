import type { failures as englishFailures, problems as englishProblems } from '../en/failures.ts';

const OWN_FAULT =
  'Das ist ein Fehler dieser Anwendung selbst. Aktualisieren Sie die Ansicht. Tritt er wieder auf, melden Sie ihn mit der Nummer unten.';
const OLD_SERVICE = 'Der Konfigurationsdienst ist vielleicht älter als diese Anwendung. Wenden Sie sich an seinen Betreiber.';
const SIGN_IN = 'Melden Sie sich noch einmal an.';
const TELL_AUTHORING =
  'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an den Administrator des Autorensystems.';

/** What to do next, by the service's error code. What happened is the service's own sentence. */
export const problems: typeof englishProblems = {
  BODY_UNPARSABLE: OWN_FAULT,
  BODY_INVALID: 'Korrigieren Sie den Wert unter „Neue Einstellungen“, und versuchen Sie es noch einmal.',
  BODY_MISSING: OWN_FAULT,
  QUERY_INVALID: OWN_FAULT,
  NAME_INVALID: 'Korrigieren Sie die Organisation oder den Namen der Site unter „Neue Einstellungen“.',
  HOST_LABEL_TOO_LONG: 'Kürzen Sie den Namen der Site unter „Neue Einstellungen“.',
  PROPERTY_UNKNOWN: OWN_FAULT,
  CONTENT_ADDRESS_MISMATCH:
    'Setzen Sie unter „Neue Einstellungen“ die Organisation und den Namen der Site ein, die in der Auslieferungsadresse stehen.',
  SECRET_NOT_ALLOWED: 'Lassen Sie das Geheimnis weg: Die erste Site dieses Repositorys hat es.',
  RANGE_INVALID: 'Fordern Sie die ganze Datei an.',
  INVALID_SIGNATURE: 'Geben Sie dem Git-Anbieter das Webhook-Geheimnis dieses Repositorys, und senden Sie das Ereignis dann noch einmal.',
  REQUEST_MALFORMED: 'Ein Proxy auf dem Weg zum Dienst hat die Anfrage womöglich verändert. Wenden Sie sich an den Betreiber des Dienstes.',
  REQUEST_TIMED_OUT: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es dann noch einmal.',
  EXPECTATION_REFUSED:
    'Ein Proxy auf dem Weg zum Dienst hat die Anfrage womöglich verändert. Wenden Sie sich an den Betreiber des Dienstes.',
  HEADERS_TOO_LARGE: 'Löschen Sie die Cookies dieses Dienstes in Ihrem Browser, und versuchen Sie es dann noch einmal.',
  DEVICE_PENDING: 'Geben Sie den Code unter der gezeigten Adresse ein, und erlauben Sie den Zugriff.',
  NOT_AUTHENTICATED: SIGN_IN,
  TOKEN_REFUSED: SIGN_IN,
  API_KEY_REFUSED: 'Kopieren Sie die Webhook-Adresse mit ihrem API-Schlüssel noch einmal von hier zum Git-Anbieter.',
  REPOSITORY_SECRET_REFUSED: 'Verknüpfen Sie das Repository noch einmal, und fügen Sie das neue Geheimnis bei seiner Site ein.',
  NOT_AUTHORIZED: 'Bitten Sie einen Administrator der Site oder der Organisation, Ihnen die Rolle „admin“ zu geben.',
  CLAIM_NOT_PROVEN:
    'Committen Sie den Nachweis wie gezeigt in das Repository, oder bitten Sie einen Betreiber des Dienstes, die Organisation in Besitz zu nehmen.',
  AUTHOR_NOT_ALLOWED: 'Bitten Sie den Betreiber des Konfigurationsdienstes, dieses Autorensystem auf die Liste der erlaubten zu setzen.',
  AUTHOR_PATH_NOT_ALLOWED: 'Wählen Sie eine Seite unter /content; anderes reicht der Dienst nicht weiter.',
  ROUTE_NOT_FOUND: OLD_SERVICE,
  CONFIG_TYPE_INVALID: OLD_SERVICE,
  ORG_NOT_FOUND:
    'Bitten Sie einen Administrator der Organisation um Zugriff, oder nehmen Sie sie in Besitz, wenn das noch niemand getan hat.',
  SITE_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Die Site wurde inzwischen entfernt und kann noch einmal registriert werden.',
  PART_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Der Teil wurde inzwischen entfernt.',
  PROFILE_NOT_FOUND: 'Wählen Sie ein Profil, das die Organisation hat, oder legen Sie es zuerst an.',
  USER_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Der Benutzer wurde inzwischen entfernt.',
  GROUP_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Die Gruppe wurde inzwischen entfernt.',
  API_KEY_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Der API-Schlüssel wurde inzwischen entfernt.',
  SITE_TOKEN_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Das Site-Token wurde inzwischen entfernt, oder sein Tag ist vorbei.',
  SECRET_NOT_FOUND: 'Fügen Sie das Geheimnis ein, das das Build-Management zeigt, wenn das Repository mit dieser Site verknüpft wird.',
  JOB_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Der Auftrag ist zu alt und wurde entfernt.',
  REPOSITORY_UNKNOWN: 'Registrieren Sie zuerst eine Site auf diesem Repository.',
  EXTERNAL_REPOSITORY_NOT_FOUND:
    'Aktualisieren Sie die Ansicht. Das Repository wurde inzwischen entfernt und kann noch einmal eingebunden werden.',
  WEBHOOK_NOT_FOUND: 'Kopieren Sie die Webhook-Adresse dieses Repositorys noch einmal zum Git-Anbieter.',
  DELIVERY_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Nur die letzten hundert Zustellungen werden aufbewahrt.',
  BRANCH_NOT_FOUND: 'Wählen Sie einen Branch, den das Repository hat.',
  CODE_NOT_SYNCHRONISED: 'Öffnen Sie „Sync-Status“, und synchronisieren Sie den Branch.',
  FILE_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Die Datei ist nicht in diesem Branch.',
  VERSION_NOT_FOUND: 'Aktualisieren Sie die Ansicht, und wählen Sie eine Version, die es gibt.',
  CONFIG_NOT_FOUND: 'Ordnen Sie zuerst die Pfade zu; dann liefern die Hosts sie aus.',
  METHOD_NOT_ALLOWED: OLD_SERVICE,
  BRANCH_PROTECTED: 'Der Code des Branch main bleibt immer; entfernen Sie einen anderen Branch.',
  REPOSITORY_TAKEN: 'Verwenden Sie das Repository, das schon in der Liste steht, oder entfernen Sie es zuerst.',
  EXTERNAL_LIMIT_REACHED:
    'Entfernen Sie ein externes Repository, das nicht gebraucht wird, oder bitten Sie den Betreiber des Build-Managements um mehr.',
  WEBHOOK_ROTATED: 'Geben Sie beim Git-Anbieter die neuesten Zugangsdaten ein.',
  REPOSITORY_NOT_READY:
    'Warten Sie, bis das Repository bereit ist. Ist es fehlgeschlagen, beheben Sie die Ursache, und versuchen Sie es noch einmal.',
  CONTENT_ROOT_TAKEN:
    'Verwenden Sie den Namen der genannten Site. Ist keine genannt, wenden Sie sich an den Betreiber des Konfigurationsdienstes.',
  SITE_EXISTS: 'Wählen Sie einen anderen Namen für die Site.',
  USER_EXISTS: 'Ändern Sie die Rollen des Benutzers, den es schon gibt.',
  BRANCH_BUSY: 'Warten Sie, bis diese Synchronisierung zu Ende ist, und versuchen Sie es noch einmal.',
  SECRET_IN_USE: 'Entfernen Sie zuerst die anderen Sites dieses Repositorys, oder geben Sie ihnen ein anderes.',
  PROFILE_IN_USE: 'Lassen Sie die Sites dieses Profils ein anderes erweitern oder keines; entfernen Sie es dann.',
  ROLLOUT_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Nur die letzten Rollouts einer Organisation werden aufbewahrt.',
  ROLLOUT_REFUSED: 'Die Einzelheiten nennen den Grund und was zu tun ist.',
  SUBSCRIPTION_NOT_FOUND: 'Aktualisieren Sie die Ansicht. Der Empfänger wurde inzwischen entfernt.',
  SUBSCRIPTION_REFUSED: 'Die Einzelheiten nennen den Grund und was hier möglich ist.',
  VERSION_IS_CURRENT: 'Stellen Sie zuerst eine andere Version wieder her; dann kann diese entfernt werden.',
  VERSION_REFUSED: 'Wählen Sie eine neuere Version, oder beheben Sie das Problem in der Meldung, und speichern Sie von Hand.',
  MIGRATION_NOT_POSSIBLE: 'Registrieren Sie die Site von Hand: Ihr Repository enthält keine Konfiguration, die sich übernehmen ließe.',
  WOULD_LOCK_OUT: 'Setzen Sie sich selbst unter „Neue Einstellungen“ auf die Liste der Administratoren.',
  ORG_ALREADY_CLAIMED: 'Bitten Sie einen Administrator der Organisation, Sie hinzuzufügen.',
  ORG_UNKNOWN_ON_CODE_HOST: 'Korrigieren Sie den Namen der Organisation, oder legen Sie sie zuerst auf dem Code-Host an.',
  CODE_SOURCE_NOT_FOUND: 'Korrigieren Sie Eigentümer und Repository unter „Neue Einstellungen“, oder legen Sie das Repository zuerst an.',
  CODE_SOURCE_REFUSED:
    'Korrigieren Sie Eigentümer und Repository, machen Sie das Repository öffentlich, oder binden Sie es als externes Repository ein.',
  PRECONDITION_FAILED:
    'Jemand anderes hat die Site inzwischen geändert. Aktualisieren Sie die Ansicht, sehen Sie sich den Plan an, und machen Sie weiter.',
  BODY_TOO_LARGE: 'Kürzen Sie die Listen unter „Neue Einstellungen“.',
  FILE_TOO_LARGE: 'Halten Sie die Datei aus dem Repository heraus; legen Sie sie zum Beispiel in die Inhaltsquelle.',
  CONTENT_TYPE_UNSUPPORTED: OWN_FAULT,
  CONTENT_ENCODING_UNSUPPORTED: OWN_FAULT,
  RATE_LIMITED: 'Warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
  INTERNAL: 'Versuchen Sie es noch einmal. Kommt es wieder, melden Sie es mit der Nummer unten dem Betreiber des Konfigurationsdienstes.',
  NOT_OFFERED: 'Lassen Sie diesen Schritt aus: Der Konfigurationsdienst bietet ihn nicht an.',
  CONTENT_SOURCE_NOT_SERVED: 'Wählen Sie das Autorensystem als Inhaltsquelle dieser Site.',
  AUTHOR_UNREACHABLE: TELL_AUTHORING,
  AUTHOR_ANSWER_REFUSED: 'Sagen Sie es dem Administrator des Autorensystems: Dessen Antwort war nicht gültig.',
  CONTENT_UNREACHABLE:
    'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an den Administrator der Inhaltsquelle.',
  CODE_HOST_UNREACHABLE: 'Versuchen Sie es in einer Minute noch einmal; der Code-Host antwortet gerade nicht.',
  BUILD_MANAGEMENT_UNREACHABLE:
    'Versuchen Sie es in einer Minute noch einmal. Bleibt es dabei, bitten Sie den Betreiber des Konfigurationsdienstes, die Verbindung zum Build-Management zu prüfen.',
  REPOSITORY_UNREACHABLE:
    'Versuchen Sie es in einer Minute noch einmal. Bleibt es dabei, prüfen Sie die Clone-Adresse und das Zugriffstoken des Repositorys.',
  SERVICE_UNREACHABLE: 'Versuchen Sie es in einer Minute noch einmal; das Build-Management kann den Konfigurationsdienst nicht erreichen.',
  IDENTITY_PROVIDER_UNREACHABLE: 'Versuchen Sie es in einer Minute noch einmal; die Anmeldung ist gerade nicht möglich.',
  OVERLOADED: 'Versuchen Sie es gleich noch einmal.',
  QUOTA_REACHED: 'Entfernen Sie, was nicht mehr gebraucht wird, oder bitten Sie den Betreiber um mehr.',
  STORAGE_QUOTA_REACHED: 'Entfernen Sie, was nicht mehr gebraucht wird, oder bitten Sie den Betreiber um mehr.',
  SHUTTING_DOWN: 'Der Dienst wird neu gestartet. Versuchen Sie es in einer Minute noch einmal.',
  STORAGE_UNAVAILABLE:
    'Versuchen Sie es in einer Minute noch einmal. Bleibt das Problem bestehen, wenden Sie sich an den Betreiber des Konfigurationsdienstes.',
  STORAGE_DAMAGED: 'Sagen Sie dem Betreiber des Konfigurationsdienstes, dass dessen Speicher beschädigt ist.',
  AUTHOR_TIMEOUT: TELL_AUTHORING,
  STORAGE_FULL: 'Es wurde nichts geändert. Sagen Sie dem Betreiber des Konfigurationsdienstes, dass dessen Speicher voll ist.',
};

export const failures: typeof englishFailures = {
  changedMeanwhile: {
    sentence: 'Jemand anderes ändert diese Site immer wieder.',
    next: 'Aktualisieren Sie die Ansicht, sehen Sie sich den Plan an, und machen Sie weiter.',
  },
  planChanged: {
    sentence: 'Jemand hat diese Seite oder ihre Site geändert, nachdem der Plan angezeigt wurde. Er ist nicht mehr aktuell.',
    next: 'Sehen Sie sich den neuen Plan an, und machen Sie dann weiter.',
  },
  noDryRun: {
    'not-announced': {
      sentence: 'Dieser Konfigurationsdienst unterstützt keine Testläufe, darum wurde nichts gesendet.',
      next: 'Bitten Sie seinen Betreiber, den Konfigurationsdienst zu aktualisieren.',
    },
    ignored: {
      sentence: 'Der Konfigurationsdienst hat womöglich eine Änderung gespeichert, die nur ein Testlauf sein sollte.',
      next: 'Sehen Sie im Verlauf der Site nach, und wenden Sie sich an den Betreiber des Konfigurationsdienstes.',
    },
  },
  unreachable: {
    sentence: 'Der Konfigurationsdienst antwortet nicht.',
    next: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es in einer Minute noch einmal.',
  },
  timeout: {
    sentence: 'Der Konfigurationsdienst hat nicht rechtzeitig geantwortet.',
    next: 'Versuchen Sie es noch einmal.',
  },
  hostUnreachable: {
    sentence: 'Der Host der Site antwortet nicht.',
    next: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es in einer Minute noch einmal.',
  },
  authoringAnswered: (status, said) => ({
    sentence:
      status === 300
        ? 'Das Autorensystem hat dort zu viele Ressourcen, um sie auf einmal aufzulisten (Status 300).'
        : [429, 502, 503, 504].includes(status)
          ? `Das Autorensystem ist gerade nicht verfügbar (Status ${status}).`
          : `Das Autorensystem hat die Anfrage abgelehnt (Status ${status})${said === undefined ? '.' : `: ${said}`}`,
    next: TELL_AUTHORING,
  }),
  refused: (status) => ({
    sentence: status === undefined ? 'Die Anfrage wurde abgelehnt.' : `Die Anfrage wurde abgelehnt (Status ${status}).`,
    next: 'Aktualisieren Sie die Ansicht. Tritt es wieder auf, wenden Sie sich an den Betreiber des Konfigurationsdienstes.',
  }),
  unexpected: {
    sentence: 'Unerwartete Antwort.',
    next: 'Aktualisieren Sie die Ansicht. Tritt es wieder auf, melden Sie es mit den Einzelheiten.',
  },
  unread: {
    authoring: (path) => `Die Antwort des Autorensystems zu ${path} ist nicht lesbar.`,
    host: (address) => `${address} liefert keine öffentliche Konfiguration.`,
    service: (problem) => `Die Antwort ist nicht lesbar (${problem}).`,
  },
  notWritten: (address) => ({
    sentence: `Das Autorensystem hat ${address} als gespeichert gemeldet, aber nicht gespeichert.`,
    next: 'Vielleicht hat etwas dazwischen geantwortet. Versuchen Sie es noch einmal.',
  }),
  notServed: {
    nothing: (address) => `${address} hat noch keine Konfiguration.`,
    other: (address) => `${address} liefert nicht die gespeicherte Konfiguration.`,
  },
  authoringRefused: {
    401: {
      sentence: 'Das Autorensystem nimmt Ihre Anmeldung nicht mehr an.',
      next: 'Melden Sie sich noch einmal am Autorensystem an, und öffnen Sie diese Ansicht dann neu.',
    },
    403: {
      sentence: 'Ihnen fehlt die Berechtigung, das im Autorensystem zu lesen oder zu ändern.',
      next: 'Bitten Sie den Administrator des Autorensystems um Rechte auf der Seite und auf ihrer Konfiguration unter /conf.',
    },
    unexplained: {
      sentence:
        'Das Autorensystem hat die Änderung nicht gespeichert. Ihnen fehlt die Berechtigung, oder jemand hat die Seite gesperrt oder geändert.',
      next: 'Versuchen Sie es noch einmal. Wird sie wieder abgelehnt, bitten Sie den Administrator des Autorensystems um Rechte auf der Seite und ihrer Konfiguration.',
    },
  },
};

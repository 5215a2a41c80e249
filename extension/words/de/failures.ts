import type { failures as englishFailures, problems as englishProblems } from '../en/failures.ts';

const OWN_FAULT = 'Das ist ein Fehler dieser Anwendung selbst. Lesen Sie neu; kommt er wieder, melden Sie ihn mit der Nummer unten.';
const OLD_SERVICE = 'Der Konfigurationsdienst ist vielleicht älter als diese Anwendung. Sagen Sie es seinem Betreiber.';
const SIGN_IN = 'Melden Sie sich noch einmal an; was getan ist, bleibt getan.';
const TELL_AUTHORING = 'Versuchen Sie es in einer Minute noch einmal; bleibt es dabei, sagen Sie es dem Administrator des Autorensystems.';

/** What to do next, by the service's error code. What happened is the service's own sentence. */
export const problems: typeof englishProblems = {
  BODY_UNPARSABLE: OWN_FAULT,
  BODY_INVALID: 'Berichtigen Sie den Wert unter „Was eingestellt wird“, und versuchen Sie es noch einmal.',
  BODY_MISSING: OWN_FAULT,
  QUERY_INVALID: OWN_FAULT,
  NAME_INVALID: 'Berichtigen Sie die Organisation oder den Namen der Site unter „Was eingestellt wird“.',
  HOST_LABEL_TOO_LONG: 'Kürzen Sie den Namen der Site unter „Was eingestellt wird“.',
  PROPERTY_UNKNOWN: OWN_FAULT,
  CONTENT_ADDRESS_MISMATCH:
    'Setzen Sie unter „Was eingestellt wird“ die Organisation und den Namen der Site ein, die in der Auslieferungsadresse stehen.',
  SECRET_NOT_ALLOWED: 'Lassen Sie das Geheimnis weg: Die erste Site dieses Repositorys hat es.',
  RANGE_INVALID: 'Das ist ein Fehler des Aufrufers: Fordern Sie die ganze Datei an.',
  INVALID_SIGNATURE: 'Geben Sie dem Git-Anbieter das Webhook-Geheimnis dieses Repositorys, und senden Sie das Ereignis dann noch einmal.',
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
  ORG_NOT_FOUND: 'Nehmen Sie die Organisation zuerst in Besitz.',
  SITE_NOT_FOUND: 'Lesen Sie neu: Die Site wurde inzwischen entfernt und kann noch einmal registriert werden.',
  PART_NOT_FOUND: 'Lesen Sie neu: Der Teil wurde inzwischen entfernt.',
  PROFILE_NOT_FOUND: 'Wählen Sie ein Profil, das die Organisation hat, oder legen Sie es zuerst an.',
  USER_NOT_FOUND: 'Lesen Sie neu: Der Benutzer wurde inzwischen entfernt.',
  GROUP_NOT_FOUND: 'Lesen Sie neu: Die Gruppe wurde inzwischen entfernt.',
  API_KEY_NOT_FOUND: 'Lesen Sie neu: Der API-Schlüssel wurde inzwischen entfernt.',
  SECRET_NOT_FOUND: 'Fügen Sie das Geheimnis ein, das das Build-Management zeigt, wenn das Repository mit dieser Site verknüpft wird.',
  JOB_NOT_FOUND: 'Lesen Sie neu: Der Auftrag ist zu alt und wurde entfernt.',
  REPOSITORY_UNKNOWN: 'Registrieren Sie zuerst eine Site auf diesem Repository.',
  EXTERNAL_REPOSITORY_NOT_FOUND: 'Lesen Sie neu: Das Repository wurde inzwischen entfernt und kann noch einmal eingebunden werden.',
  WEBHOOK_NOT_FOUND: 'Kopieren Sie die Webhook-Adresse dieses Repositorys noch einmal zum Git-Anbieter.',
  DELIVERY_NOT_FOUND: 'Lesen Sie neu: Nur die letzten hundert Zustellungen werden aufbewahrt.',
  BRANCH_NOT_FOUND: 'Wählen Sie einen Branch, den das Repository hat.',
  FILE_NOT_FOUND: 'Lesen Sie neu: Die Datei ist nicht in diesem Branch.',
  VERSION_NOT_FOUND: 'Lesen Sie neu, und wählen Sie eine Version, die es gibt.',
  CONFIG_NOT_FOUND: 'Ordnen Sie zuerst die Pfade zu; dann liefern die Hosts sie aus.',
  METHOD_NOT_ALLOWED: OLD_SERVICE,
  BRANCH_PROTECTED: 'Der Code des Branch main bleibt immer; entfernen Sie einen anderen Branch.',
  REPOSITORY_TAKEN: 'Verwenden Sie das Repository, das schon in der Liste steht, oder entfernen Sie es zuerst.',
  REPOSITORY_NOT_READY:
    'Warten Sie, bis das Repository READY ist; wo es misslungen ist, sehen Sie nach, warum, und versuchen es noch einmal.',
  CONTENT_ROOT_TAKEN: 'Verwenden Sie den Namen jener Site, oder bitten Sie einen ihrer Administratoren, die Zuordnung zu entfernen.',
  USER_EXISTS: 'Ändern Sie die Rollen des Benutzers, den es schon gibt.',
  PROFILE_IN_USE: 'Lassen Sie die Sites dieses Profils ein anderes erweitern oder keines; entfernen Sie es dann.',
  VERSION_IS_CURRENT: 'Stellen Sie zuerst eine andere Version wieder her; dann kann diese entfernt werden.',
  VERSION_REFUSED: 'Wählen Sie eine neuere Version, oder berichtigen Sie, was die Meldung nennt, und stellen Sie es von Hand ein.',
  MIGRATION_NOT_POSSIBLE: 'Registrieren Sie die Site von Hand: Ihr Repository enthält keine Konfiguration, die sich übernehmen ließe.',
  WOULD_LOCK_OUT: 'Setzen Sie sich selbst unter „Was eingestellt wird“ auf die Liste der Administratoren.',
  ORG_ALREADY_CLAIMED: 'Bitten Sie einen Administrator der Organisation, Sie hinzuzufügen.',
  ORG_UNKNOWN_ON_CODE_HOST: 'Berichtigen Sie den Namen der Organisation, oder legen Sie sie zuerst auf dem Code-Host an.',
  PRECONDITION_FAILED: 'Jemand anderes hat die Site inzwischen geändert. Lesen Sie neu, sehen Sie sich den Plan an, und machen Sie weiter.',
  BODY_TOO_LARGE: 'Kürzen Sie die Listen unter „Was eingestellt wird“.',
  FILE_TOO_LARGE: 'Halten Sie die Datei aus dem Repository heraus; legen Sie sie zum Beispiel in die Inhaltsquelle.',
  CONTENT_TYPE_UNSUPPORTED: OWN_FAULT,
  RATE_LIMITED: 'Warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
  INTERNAL: 'Versuchen Sie es noch einmal. Kommt es wieder, melden Sie es mit der Nummer unten dem Betreiber des Konfigurationsdienstes.',
  CONTENT_SOURCE_NOT_SERVED: 'Wählen Sie das Autorensystem als Inhaltsquelle dieser Site.',
  AUTHOR_UNREACHABLE: TELL_AUTHORING,
  AUTHOR_ANSWER_REFUSED: 'Sagen Sie es dem Administrator des Autorensystems: Dessen Antwort war nicht gültig.',
  CONTENT_UNREACHABLE: 'Versuchen Sie es in einer Minute noch einmal; bleibt es dabei, sagen Sie es dem Administrator der Inhaltsquelle.',
  CODE_HOST_UNREACHABLE: 'Versuchen Sie es in einer Minute noch einmal; der Code-Host antwortet gerade nicht.',
  REPOSITORY_UNREACHABLE:
    'Versuchen Sie es in einer Minute noch einmal. Bleibt es dabei, prüfen Sie die Clone-Adresse und das Zugriffstoken des Repositorys.',
  SERVICE_UNREACHABLE:
    'Versuchen Sie es in einer Minute noch einmal; das Build-Management kann den Konfigurationsdienst gerade nicht fragen.',
  IDENTITY_PROVIDER_UNREACHABLE: 'Versuchen Sie es in einer Minute noch einmal; die Anmeldung ist gerade nicht möglich.',
  SHUTTING_DOWN: 'Der Dienst wird neu gestartet. Versuchen Sie es in einer Minute noch einmal; was getan ist, bleibt getan.',
  STORAGE_UNAVAILABLE:
    'Versuchen Sie es in einer Minute noch einmal; es wurde nichts geändert. Bleibt es dabei, sagen Sie es dem Betreiber des Konfigurationsdienstes.',
  AUTHOR_TIMEOUT: TELL_AUTHORING,
  STORAGE_FULL: 'Es wurde nichts geändert. Sagen Sie dem Betreiber des Konfigurationsdienstes, dass dessen Speicher voll ist.',
};

export const failures: typeof englishFailures = {
  changedMeanwhile: {
    sentence: 'Jemand anderes ändert diese Site immer wieder.',
    next: 'Lesen Sie neu, sehen Sie sich den Plan an, und machen Sie weiter.',
  },
  unreachable: {
    sentence: 'Der Konfigurationsdienst antwortet nicht.',
    next: 'Prüfen Sie Ihre Verbindung, und versuchen Sie es in einer Minute noch einmal; was getan ist, bleibt getan.',
  },
  timeout: {
    sentence: 'Die Antwort kam nicht rechtzeitig.',
    next: 'Versuchen Sie es noch einmal: Was getan ist, wird erkannt und nicht noch einmal getan.',
  },
  refused: (status) => ({
    sentence: status === undefined ? 'Der Aufruf wurde abgelehnt.' : `Der Aufruf wurde abgelehnt (Status ${status}).`,
    next: 'Lesen Sie neu. Kommt es wieder, sagen Sie es dem Betreiber des Konfigurationsdienstes.',
  }),
  unexpected: {
    sentence: 'Es kam etwas Unerwartetes zurück.',
    next: 'Lesen Sie neu. Kommt es wieder, melden Sie es mit den Einzelheiten.',
  },
  authoringRefused: {
    401: {
      sentence: 'Das Autorensystem nimmt Ihre Anmeldung nicht mehr an.',
      next: 'Melden Sie sich noch einmal am Autorensystem an, und öffnen Sie diese Ansicht dann neu.',
    },
    403: {
      sentence: 'Sie dürfen das im Autorensystem nicht lesen oder ändern.',
      next: 'Bitten Sie den Administrator des Autorensystems um Rechte auf der Seite und auf ihrer Konfiguration unter /conf.',
    },
  },
};

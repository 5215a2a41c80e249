import type { CheckId } from '#contract/site-check.ts';
import type { checks as english } from '../en/checks.ts';
import { codeFindings } from './code-findings.ts';
import { serviceFindings } from './service-findings.ts';
import { settingFindings } from './setting-findings.ts';

const titles: Record<CheckId, string> = {
  'signed-in': 'Anmeldung',
  'organization-claimed': 'Organisation',
  'site-registered': 'Registrierung',
  'caller-administers': 'Ihre Verwaltungsrechte',
  'technical-account-listed': 'Veröffentlichen durch das technische Konto',
  'technical-account-environment': 'Umgebung des technischen Kontos',
  'wildcard-administrators': 'Administratoren mit Namen',
  'groups-exist': 'Gruppen in den Zugriffslisten',
  'content-address-site': 'Inhaltsadresse',
  'mapping-site-root': 'Zuordnung der Wurzel der Site',
  'mapping-configuration': 'Zuordnung der Konfigurationsseite',
  'configuration-page': 'Konfigurationsseite',
  'config-preview': 'config.json auf dem Preview-Host',
  'config-live': 'config.json auf dem Live-Host',
  'config-shadowed': 'config.json im Repository',
  'editor-files': 'Dateien, die der Editor braucht',
  'project-type': 'Projekttyp',
  'organization-and-site-name': 'Organisation und Name der Site',
  'cloud-configuration-own': 'Cloud-Konfiguration',
  'content-root-single': 'Inhaltswurzel',
  'code-sync-fresh': 'Letzter Code-Sync',
  'secret-present': 'Geheimnis des externen Repositorys',
  'host-label': 'Länge des Hostnamens',
  'delivery-answers': 'Auslieferungsadresse',
  'obsolete-files': 'Dateien, die nicht mehr gebraucht werden',
};

const noCauseFound = (unchecked: number): string => {
  if (unchecked === 0) return 'Alle üblichen Ursachen wurden geprüft, und keine trifft zu.';
  const count = unchecked === 1 ? '1 übliche Ursache konnte' : `${unchecked} übliche Ursachen konnten`;
  return `Es wurde keine Ursache gefunden; ${count} nicht geprüft werden.`;
};

export const checks: typeof english = {
  title: 'Diese Site prüfen',
  text: 'Prüft alles, was diese Site braucht, und erklärt, was nicht stimmt und wie es sich beheben lässt.',
  run: 'Jetzt prüfen',
  show: 'Alle Befunde zeigen',
  symptomQuestion: 'Was sehen Sie?',
  noSymptom: 'Nichts Bestimmtes',
  first: 'Wahrscheinlichste Ursache',
  unchecked: (count) => `Mögliche Ursache, nicht geprüft (${count})`,
  noCause: {
    'white-page': {
      sentence: noCauseFound,
      next: 'Laden Sie den Editor ohne Zwischenspeicher neu. Bleibt die Seite weiß, öffnen Sie die Konsole des Browsers: Ein Fehler in den Skripten der Site ist der nächste Verdacht.',
    },
    'old-code': {
      sentence: noCauseFound,
      next: 'Öffnen Sie „Sync-Status“ im Editor und vergleichen Sie den Commit des letzten Syncs mit dem des Branch; laden Sie die Site dann ohne Zwischenspeicher neu.',
    },
    publishing: {
      sentence: noCauseFound,
      next: 'Veröffentlichen Sie eine Seite noch einmal, und geben Sie den Fehler, den das Autorensystem zeigt, dessen Administrator.',
    },
    'config-missing': {
      sentence: noCauseFound,
      next: 'Öffnen Sie beide Adressen von config.json unter „Weitere Prüfungen“ selbst. Antworten sie, suchen Sie den Host, der es nicht tut: Sein Name muss einer der Site sein.',
    },
  },
  others: 'Weitere Prüfungen',
  allFine: 'Alle ausgeführten Prüfungen sind in Ordnung.',
  summary: (wrong, warnings) =>
    wrong + warnings === 0 ? 'Keine Fehler.' : `${wrong} Fehler, ${warnings} ${warnings === 1 ? 'Warnung' : 'Warnungen'}.`,
  consequence: 'Was das bedeutet',
  fix: 'Was zu tun ist',
  evidence: 'Nachweis anzeigen',
  request: 'Anfrage',
  answer: 'Antwort',
  verdicts: {
    wrong: { label: 'Fehler', group: (count) => `Fehler (${count})` },
    warning: { label: 'Warnung', group: (count) => `Warnungen (${count})` },
    unknown: { label: 'Unbekannt', group: (count) => `Nicht geprüft (${count})` },
    note: { label: 'Hinweis', group: (count) => `Hinweise (${count})` },
    fine: { label: 'In Ordnung', group: (count) => `In Ordnung (${count})` },
  },
  symptoms: {
    'white-page': 'Der Editor zeigt eine weiße Seite',
    'old-code': 'Die Site zeigt alten Code',
    publishing: 'Das Veröffentlichen gelingt nicht',
    'config-missing': 'config.json antwortet mit 404',
  },
  titles,
  sentences: { ...serviceFindings, ...settingFindings, ...codeFindings },
  unknown: () => ({
    finding: 'Noch nicht geprüft.',
    fix: 'Beheben Sie zuerst die Fehler oben, und prüfen Sie dann noch einmal.',
  }),
};

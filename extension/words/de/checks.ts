import type { CheckId } from '#extension/setup/findings.ts';
import type { checks as english } from '../en/checks.ts';
import { codeFindings } from './code-findings.ts';
import { serviceFindings } from './service-findings.ts';
import { settingFindings } from './setting-findings.ts';

const titles: Record<CheckId, string> = {
  'signed-in': 'Anmeldung',
  'organization-claimed': 'Organisation',
  'site-registered': 'Registrierung',
  'caller-administers': 'Ihre Verwaltungsrechte',
  'technical-account-listed': 'Technisches Konto darf veröffentlichen',
  'technical-account-environment': 'Technisches Konto gehört zu dieser Umgebung',
  'wildcard-administrators': 'Administratoren sind einzeln genannt',
  'content-address-site': 'Inhaltsadresse',
  'mapping-site-root': 'Zuordnung der Wurzel der Site',
  'mapping-configuration': 'Zuordnung der Konfigurationsseite',
  'configuration-page': 'Konfigurationsseite',
  'config-preview': 'config.json auf dem Preview-Host',
  'config-live': 'config.json auf dem Live-Host',
  'config-shadowed': 'Kein config.json im Repository',
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

export const checks: typeof english = {
  title: 'Diese Site prüfen',
  text: 'Sieht sich alles an, was diese Site braucht, und sagt, was nicht stimmt und wie es sich beheben lässt.',
  run: 'Jetzt prüfen',
  show: 'Alle Befunde zeigen',
  symptomQuestion: 'Was sehen Sie?',
  noSymptom: 'Nichts Bestimmtes',
  first: 'Wahrscheinlich die Ursache',
  others: 'Alles andere',
  allFine: 'Alles, was geprüft wurde, ist in Ordnung.',
  summary: (wrong, warnings) =>
    wrong + warnings === 0 ? 'Nichts ist falsch.' : `${wrong} falsch, ${warnings} ${warnings === 1 ? 'Warnung' : 'Warnungen'}.`,
  consequence: 'Was das bedeutet',
  fix: 'Was zu tun ist',
  evidence: 'Den Nachweis zeigen',
  request: 'Gefragt',
  answer: 'Geantwortet',
  verdicts: {
    wrong: { label: 'Falsch', group: (count) => `Falsch (${count})` },
    warning: { label: 'Warnung', group: (count) => `Warnungen (${count})` },
    unknown: { label: 'Nicht bekannt', group: (count) => `Nicht zu prüfen (${count})` },
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
    finding: 'Das konnte noch nicht geprüft werden.',
    fix: 'Beheben Sie zuerst, was oben falsch ist, und prüfen Sie dann noch einmal.',
  }),
};

import { STEP_IDS } from '#extension/setup/plan.ts';
import type { blocked as english } from '../en/blocked.ts';
import { steps } from './plan.ts';

export const blocked: typeof english = {
  'not-signed-in': () => ({ why: 'Sie sind nicht angemeldet.', who: 'Melden Sie sich oben an.' }),
  'organization-missing': (data) => ({
    why: data['detail'] ?? 'Auf dem Code-Host gibt es diese Organisation nicht.',
    who: 'Berichtigen Sie die Organisation unter „Was eingestellt wird“, oder legen Sie sie auf dem Code-Host an.',
  }),
  'organization-not-claimed': (data) => ({
    why: `Noch hat niemand die Organisation${quoted(data['organization'] ?? data['org'])} in Besitz genommen.`,
    who: 'Wem sie auf dem Code-Host gehört, der nimmt sie in Besitz, oder ein Betreiber des Konfigurationsdienstes tut es.',
  }),
  'not-administrator': (data) => ({
    why: data['detail'] ?? 'Sie dürfen diese Site nicht verwalten.',
    who: 'Ein Administrator der Site oder der Organisation kann Ihnen die Rolle „admin“ geben.',
  }),
  'name-invalid': (data) => ({
    why:
      data['root'] === undefined
        ? (data['problem'] ?? 'Ein Name ist nicht gültig.')
        : `Die Site${quoted(data['name'])} ist die von ${data['root']}; schreiben Sie einen anderen Namen.`,
    who: 'Berichtigen Sie ihn unter „Was eingestellt wird“.',
  }),
  'host-label-too-long': (data) => ({
    why: data['problem'] ?? 'Der Hostname wäre länger, als DNS erlaubt.',
    who: 'Kürzen Sie den Namen der Site unter „Was eingestellt wird“.',
  }),
  'mapping-invalid': (data) => ({
    why: data['problem'] ?? 'Eine Pfadzuordnung ist nicht gültig.',
    who: 'Berichtigen Sie den Pfad unter „Was eingestellt wird“.',
  }),
  'technical-account-missing': () => ({
    why: 'Das technische Konto ist nicht bekannt.',
    who: 'Übernehmen Sie es vom Reiter „Authentication“ der Edge-Delivery-Konfiguration nach „Was eingestellt wird“.',
  }),
  'content-root-taken': (data) => ({
    why: `Eine andere Site${quoted(data['site'])} hat diese Inhaltswurzel schon.`,
    who: 'Verwenden Sie den Namen jener Site, oder bitten Sie einen ihrer Administratoren, die Zuordnung zu entfernen.',
  }),
  'secret-missing': () => ({
    why: 'Das Geheimnis des externen Repositorys ist noch nicht gespeichert.',
    who: 'Fügen Sie es unter „Was eingestellt wird“ ein. Das Build-Management zeigt es, wenn das Repository mit dieser Site verknüpft wird.',
  }),
  'secret-invalid': (data) => ({
    why: data['problem'] ?? 'Das Geheimnis ist nicht gültig.',
    who: 'Fügen Sie es unter „Was eingestellt wird“ noch einmal ein.',
  }),
  'inherited-configuration': (data) => ({
    why: `Die Cloud-Konfiguration ist${data['from'] === undefined ? '' : ` von ${data['from']}`} geerbt; eine Änderung träfe auch andere Sites.`,
    who: 'Geben Sie dieser Seite in ihren Seiteneigenschaften eine eigene Konfiguration.',
  }),
  'cloud-configuration-missing': (data) => ({
    why: `${data['page'] ?? 'Diese Seite'} hat keine Cloud-Konfiguration; darum lassen sich Organisation und Name der Site nirgends einstellen.`,
    who: 'Wählen Sie in den Seiteneigenschaften der Wurzel der Site eine Cloud-Konfiguration, dann hier „Neu lesen“.',
  }),
  'configuration-page-type': (data) => ({
    why: `${data['path'] ?? 'Die Konfigurationsseite'} ist keine Konfigurationsseite; ihr Typ ist${quoted(data['resourceType'])}.`,
    who: 'Nennen Sie unter „Was eingestellt wird“ eine andere Seite als Konfigurationsseite, oder legen Sie sie aus der Vorlage für Konfigurationen neu an.',
  }),
  refused: (data) => ({
    why: data['detail'] ?? data['message'] ?? 'Der Konfigurationsdienst lehnt diesen Schritt ab.',
    who: 'Berichtigen Sie, was er nennt, und wählen Sie dann „Neu lesen“.',
  }),
  'service-unreachable': () => ({
    why: 'Der Konfigurationsdienst antwortet nicht.',
    who: 'Versuchen Sie es in einer Minute noch einmal. Bleibt es dabei, sagen Sie es seinem Betreiber.',
  }),
  'authoring-unreachable': () => ({
    why: 'Das Autorensystem antwortet nicht.',
    who: 'Versuchen Sie es in einer Minute noch einmal. Bleibt es dabei, sagen Sie es seinem Administrator.',
  }),
  'earlier-step': (data) => ({
    why: `Der Schritt folgt auf${quoted(titleOf(data['step']))}; der ist blockiert.`,
    who: 'Beheben Sie zuerst das.',
  }),
};

function titleOf(step: string | undefined): string {
  return STEP_IDS.filter((id) => id === step).map((id) => steps[id].title)[0] ?? 'einen früheren Schritt';
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : ` „${name}“`;
}

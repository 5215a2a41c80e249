import { isSpreadsheet } from '../plan/authoring-steps.ts';
import { findingOf, refusalDetail } from './check-data.ts';
import type { Finding } from './findings.ts';
import type { Situation } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';

/** Checks of the settings in the authoring system. */
export function authoringChecks(situation: Situation): Finding[] {
  return [configurationPage(situation), projectType(situation), names(situation), ownConfiguration(situation)];
}

function configurationPage(situation: Situation): Finding {
  const finding = findingOf(situation);
  const page = situation.configurationPage;
  const path = situation.settings.configurationPage.value ?? `${situation.settings.siteRoot}/configuration`;
  if (page.state === 'missing') return finding('configuration-page', 'wrong', { variant: 'missing', data: { path } });
  if (page.state === 'failed') {
    const detail = refusalDetail(`GET ${path}`, page.failure);
    return finding('configuration-page', 'unknown', { ...detail, data: { ...detail.data, path } });
  }
  const data = { path: page.value.path, resourceType: page.value.resourceType ?? '' };
  return isSpreadsheet(page.value.resourceType)
    ? finding('configuration-page', 'fine', { data })
    : finding('configuration-page', 'wrong', { variant: 'type', data });
}

/** Switched while the service is not ready is the white page; not switched while it is ready is merely the last step. */
function projectType(situation: Situation): Finding {
  const finding = findingOf(situation);
  const switched = situation.settings.projectType.value === situation.info.repolessProjectType;
  const registered = situation.site.state === 'known';
  if (switched && situation.site.state === 'missing') return finding('project-type', 'wrong', { variant: 'too-early' });
  if (switched) return finding('project-type', 'fine');
  return finding('project-type', registered ? 'warning' : 'note');
}

function names(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { settings } = situation;
  const { organization, siteName } = targetOfSituation(situation);
  const data = {
    configuredOrganization: settings.organization.value ?? '',
    configuredSite: settings.siteName.value ?? '',
    wantedOrganization: organization,
    wantedSite: siteName,
  };
  const same = settings.organization.value === organization && settings.siteName.value === siteName;
  return finding('organization-and-site-name', same ? 'fine' : 'wrong', { data });
}

function ownConfiguration(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { source, value } = situation.settings.cloudConfiguration;
  const data = { configuration: value ?? '', from: source.kind === 'inherited' ? source.from : '' };
  if (value === undefined) return finding('cloud-configuration-own', 'wrong', { variant: 'missing', data });
  if (source.kind !== 'inherited') return finding('cloud-configuration-own', 'fine', { data });
  return finding('cloud-configuration-own', 'wrong', { data });
}

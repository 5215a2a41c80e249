import { sanitizeRef } from '#contract/names.ts';
import { proposeSiteName } from './propose-site-name.ts';
import type { AuthoringSettings } from './settings.ts';
import type { Situation, Target } from './situation.ts';

/**
 * The organization and site that a page stands for while nobody has chosen otherwise: those of the record kept by an
 * earlier apply, else those of the Edge Delivery configuration (made fit to be names), else names from the path.
 * A configuration that the page only inherits names the site of the page that owns it, so its site name does not count.
 */
export function targetOf(settings: AuthoringSettings): Target {
  if (settings.previous !== undefined) return { organization: settings.previous.org, siteName: settings.previous.site };
  const first = settings.siteRoot.split('/')[2] ?? '';
  const organization = sanitizeRef(settings.organization.value ?? '') || sanitizeRef(first);
  const inherited = settings.cloudConfiguration.source.kind === 'inherited' || settings.configurationMissing === true;
  const siteName = inherited ? '' : sanitizeRef(settings.siteName.value ?? '');
  return { organization, siteName: siteName || proposeSiteName(settings.siteRoot, organization) };
}

export function targetOfSituation(situation: Situation): Target {
  return situation.target ?? targetOf(situation.settings);
}

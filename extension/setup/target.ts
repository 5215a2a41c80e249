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

/**
 * Where the settings name a site that is another page's, or not the one that has this content root: the site that it should
 * be. Undefined where the settings may well be right, and after an apply, whose record says which site it was.
 */
export function betterTarget({ settings, target, otherRoot, rehearsal }: Situation): Target | undefined {
  if (settings.previous !== undefined || target === undefined) return undefined;
  const { organization } = target;
  const refused = rehearsal?.answer.state === 'failed' ? rehearsal.answer.failure.problem : undefined;
  const { org, site } = refused?.code === 'CONTENT_ROOT_TAKEN' ? (refused.data ?? {}) : {};
  const fromPath = otherRoot?.state === 'known' ? proposeSiteName(settings.siteRoot, organization) : undefined;
  const siteName = org === organization ? (site ?? fromPath) : fromPath;
  return siteName === undefined || siteName === target.siteName ? undefined : { organization, siteName };
}

export function targetOfSituation(situation: Situation): Target {
  return situation.target ?? targetOf(situation.settings);
}

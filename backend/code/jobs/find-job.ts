import type { Context } from '../../domain/context.ts';
import { originOf } from '../rules/code-origin.ts';
import type { CodeOrigin } from '../rules/code-origin.ts';
import type { StoredJob } from '../rules/ports.ts';
import { Refusal } from '../../domain/errors.ts';
import type { JobReader } from './job-view.ts';
import { rolesOf } from '../../access/roles-of.ts';
import type { SiteName } from '../../sites/check-site.ts';
import { partNotFound, siteNotFound } from '../../sites/find-site.ts';

/** Where the code of a site comes from, and who asks for it. Refuses with SITE_NOT_FOUND or PART_NOT_FOUND. */
export async function findOrigin(context: Context, name: SiteName): Promise<{ origin: CodeOrigin; reader: JobReader }> {
  const { org, site } = await context.store.reads.orgAndSite(name.org, name.site);
  if (org === undefined || site === undefined) throw siteNotFound(name);
  const origin = originOf(name.org, site.aggregate.code);
  if (origin === undefined) throw partNotFound('code', name);
  const roles = rolesOf(context.caller, org.config, site.aggregate);
  const isAdministrator = roles.has('admin') || roles.has('config_admin');
  return { origin, reader: { org: name.org, isAdministrator, hasRole: roles.size > 0 } };
}

/** A job of the site's own repository and branch, by its name. Refuses with JOB_NOT_FOUND. */
export async function findJob(
  context: Context,
  params: SiteName & { readonly ref: string; readonly name: string },
): Promise<{ job: StoredJob; reader: JobReader }> {
  const { origin, reader } = await findOrigin(context, params);
  const job = await context.store.code.job(params.name);
  if (job?.key === origin.key && job.ref === params.ref) return { job, reader };
  throw new Refusal('JOB_NOT_FOUND', `The branch "${params.ref}" has no job "${params.name}". Jobs of old syncs are not kept.`);
}

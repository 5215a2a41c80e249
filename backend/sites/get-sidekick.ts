import { hostLabel, hostLabelProblem } from '@repoless/contract/names.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { SidekickConfig } from '@repoless/contract/sidekick.ts';
import { etagOf } from '../domain/canonical.ts';
import { Refusal } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { findSite } from './find-site.ts';

/** What the sidekick of a site starts with: its part, completed by what holds for the site (docs/contract.md 8.5). */
export const getSidekickConfig: Operation<(typeof endpoints)['getSidekickConfig']> = async (context, { params }) => {
  const { org, site, ref } = params;
  const problem = hostLabelProblem(ref, site, org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  const { aggregate } = await findSite(context, params);
  const { sidekick = {}, cdn, code, content, title } = aggregate;
  const names: Readonly<Record<string, string | undefined>> = { owner: code?.owner, repo: code?.repo, ref, site, org };
  const named = (host: string) => host.replaceAll(/\$(owner|repo|ref|site|org)/g, (text, name: string) => names[name] ?? text);
  const { hosts } = context.settings;
  const label = hostLabel(ref, site, org);
  const { previewHost = cdn?.preview?.host ?? `${label}.${hosts.preview}`, liveHost = cdn?.live?.host ?? `${label}.${hosts.live}` } =
    sidekick;
  const reviewHost = sidekick.reviewHost ?? cdn?.review?.host;
  const host = cdn?.prod?.host ?? sidekick.host;
  const routes = cdn?.prod?.route;
  const body: SidekickConfig = {
    ...sidekick,
    project: sidekick.project ?? title ?? site,
    previewHost: named(previewHost),
    liveHost: named(liveHost),
    ...(reviewHost !== undefined && { reviewHost: named(reviewHost) }),
    ...(host !== undefined && { host }),
    ...(routes !== undefined && { routes }),
    ...(content !== undefined && { contentSourceUrl: content.source.url, contentSourceType: content.source.type }),
  };
  return { result: 'done', body, etag: etagOf(body) };
};

import type { endpoints } from '@repoless/contract/endpoints.ts';
import { hostLabel, hostLabelProblem } from '@repoless/contract/names.ts';
import type { SidekickConfig } from '@repoless/contract/site-parts.ts';
import { SITE_PART_NAMES, type SitePart } from '@repoless/contract/site.ts';
import { partView } from '../changes/part-calls.ts';
import { etagOf } from '../domain/canonical.ts';
import { Refusal } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { findSite, partNotFound, shownAggregate } from './find-site.ts';

type Rows = typeof endpoints;

export const getAggregate: Operation<Rows['getAggregate']> = async (context, { params }) => {
  const body = await shownAggregate(context, params);
  return { result: 'done', body, etag: etagOf(body) };
};

/** The text that the live host answers where it is open. */
export const getAggregateRobots: Operation<Rows['getAggregateRobots']> = async (context, { params }) => {
  const text = (await shownAggregate(context, params)).robots?.txt;
  if (text === undefined) throw partNotFound('robots.txt', params);
  return { result: 'done', body: text, etag: etagOf(text), headers: { 'content-type': 'text/plain; charset=utf-8' } };
};

export const getAggregatePart: Operation<Rows['getAggregatePart']> = async (context, { params }) => {
  const name = params.part.replace(/\.json$/, '');
  const part = SITE_PART_NAMES.find((one) => one === name);
  const aggregate = await shownAggregate(context, params);
  if (part === undefined) throw unknownPart(name);
  const value = partView(part).read(aggregate);
  if (value === undefined) throw partNotFound(part, params);
  return { result: 'done', body: value, etag: etagOf(value) };
};

function unknownPart(name: string): Refusal {
  const parts: readonly SitePart[] = SITE_PART_NAMES;
  return new Refusal('PROPERTY_UNKNOWN', `A site has no part "${name}". Its parts are ${parts.join(', ')}.`);
}

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

import type { endpoints } from '@repoless/contract/endpoints.ts';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import type { SitePart } from '@repoless/contract/site.ts';
import { etagOf } from '../domain/canonical.ts';
import { partView } from '../changes/part-calls.ts';
import { Refusal } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { partNotFound, shownAggregate } from './find-site.ts';

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

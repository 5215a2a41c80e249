import type { Permission } from '#contract/permissions.ts';
import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Outcome } from '../operation.ts';
import { changeRequest } from './change.ts';
import type { ConfigView } from './change.ts';
import type { DocumentCall, DocumentKind } from './document-kind.ts';

/** The text of robots.txt alone, which is no JSON. */
const ROBOTS: ConfigView = { pointer: '/robots', read: (config) => config.robots?.txt };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' } as const;

export function readRobots<Name>(kind: DocumentKind<Name>) {
  return async (context: Context, { params }: { readonly params: Name }): Promise<Outcome> => {
    const { config } = await kind.find(context, params);
    const text = ROBOTS.read(config);
    if (typeof text !== 'string') throw kind.partMissing('robots.txt', params);
    return { result: 'done', body: text, etag: etagOf(text), headers: TEXT };
  };
}

export function replaceRobots<Name>(kind: DocumentKind<Name>, permission: Permission) {
  return async (
    context: Context,
    input: DocumentCall<Name> & { readonly body: string | { readonly txt?: string | undefined } | undefined },
  ): Promise<Outcome> => {
    const txt = typeof input.body === 'string' ? input.body : input.body?.txt;
    if (txt === undefined || txt === '') {
      throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the text of robots.txt; DELETE removes it.' });
    }
    const outcome = await kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: 'set-robots',
      view: ROBOTS,
      next: (present) => ({ ...present?.config, robots: { txt } }),
    });
    return input.query.dryRun === true ? outcome : { ...outcome, headers: TEXT };
  };
}

export function removeRobots<Name>(kind: DocumentKind<Name>, permission: Permission) {
  return (context: Context, input: DocumentCall<Name>): Promise<Outcome> =>
    kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: 'delete-robots',
      view: ROBOTS,
      next: (present) => {
        if (present?.config.robots === undefined) throw kind.partMissing('robots.txt', input.params);
        const { robots: _robots, ...rest } = present.config;
        return rest;
      },
    });
}

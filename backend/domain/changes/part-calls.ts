import type { Permission } from '#contract/permissions.ts';
import type { SitePart } from '#contract/site.ts';
import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../operation.ts';
import { changeRequest } from './change.ts';
import type { DocumentCall, DocumentKind } from './document-kind.ts';
import { partView, withPart } from './part-view.ts';

/** The reading of one part. */
export function readPart<Name>(kind: DocumentKind<Name>, part: SitePart) {
  const view = partView(part);
  return async (context: Context, { params }: { readonly params: Name }): Promise<Outcome> => {
    const { config } = await kind.find(context, params);
    const value = view.read(config);
    if (value === undefined) throw kind.partMissing(part, params);
    return { result: 'done', body: value, etag: etagOf(value) };
  };
}

/** The replacing of one part, whole (calls 3, 4 and 5). */
export function replacePart<Name>(kind: DocumentKind<Name>, part: SitePart, permission: Permission) {
  const view = partView(part);
  return (context: Context, input: DocumentCall<Name> & { readonly body: unknown }): Promise<Outcome> =>
    kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: `set-${part}`,
      view,
      next: (present) => withPart(present?.config ?? {}, part, input.body),
    });
}

/** The removing of one part. */
export function removePart<Name>(kind: DocumentKind<Name>, part: SitePart, permission: Permission) {
  const view = partView(part);
  return (context: Context, input: DocumentCall<Name>): Promise<Outcome> =>
    kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: `delete-${part}`,
      view,
      next: (present) => {
        if (present === undefined || view.read(present.config) === undefined) throw kind.partMissing(part, input.params);
        return withPart(present.config, part, undefined);
      },
    });
}

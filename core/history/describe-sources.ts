import { sameValue } from '@repoless/contract/same-value.ts';
import type { Change } from './change.ts';
import { below, besides, fieldChanges, otherChanges } from './describe-parts.ts';
import type { Pair } from './describe-parts.ts';
import { at, printed } from './json-place.ts';

/** Where the code and the content come from. What the service derives by itself is left out. */
export function describeSources(pair: Pair): Change[] {
  return [...describeContent(below(pair, 'content')), ...describeCode(below(pair, 'code'))];
}

function describeContent(pair: Pair): Change[] {
  const source = below(pair, 'source');
  const place = { area: 'content' } as const;
  return [
    ...fieldChanges({ ...place, pointer: '/content/source/url', field: 'contentSource' }, below(source, 'url')),
    ...fieldChanges({ ...place, pointer: '/content/source/type', field: 'contentType' }, below(source, 'type')),
    ...fieldChanges({ ...place, pointer: '/content/source/suffix', field: 'contentSuffix' }, below(source, 'suffix')),
    ...otherChanges('content', ['content', 'source'], besides(source, 'url', 'type', 'suffix')),
    ...fieldChanges({ ...place, pointer: '/content/overlay/url', field: 'contentOverlay' }, below(pair, 'overlay', 'url')),
    ...otherChanges('content', ['content', 'overlay'], besides(below(pair, 'overlay'), 'url')),
    ...otherChanges('content', ['content'], besides(pair, 'source', 'overlay', 'contentBusId')),
  ];
}

function describeCode(pair: Pair): Change[] {
  const source = below(pair, 'source');
  const place = { area: 'code' } as const;
  const repository = { before: repositoryOf(pair.before), after: repositoryOf(pair.after) };
  const isNew = !sameValue(repository.before, repository.after);
  const isPublic = [source.before, source.after].every((value) => value === undefined || at(value, 'type') === 'github');
  return [
    ...fieldChanges({ ...place, pointer: '/code', field: 'repository' }, repository),
    ...fieldChanges({ ...place, pointer: '/code/source/type', field: 'codeType' }, below(source, 'type')),
    // The address of a repository on the code host says its name once more.
    ...(isNew && isPublic ? [] : fieldChanges({ ...place, pointer: '/code/source/url', field: 'codeAddress' }, below(source, 'url'))),
    ...fieldChanges({ ...place, pointer: '/code/source/raw_url', field: 'codeRawAddress' }, below(source, 'raw_url')),
    ...fieldChanges({ ...place, pointer: '/code/source/secretId', field: 'secretName' }, below(source, 'secretId')),
    ...otherChanges('code', ['code', 'source'], besides(source, 'type', 'url', 'raw_url', 'secretId', 'owner', 'repo')),
    ...otherChanges('code', ['code'], besides(pair, 'owner', 'repo', 'source')),
  ];
}

function repositoryOf(code: unknown): string | undefined {
  const owner = printed(at(code, 'owner') ?? at(code, 'source', 'owner'));
  const repo = printed(at(code, 'repo') ?? at(code, 'source', 'repo'));
  return owner === undefined && repo === undefined ? undefined : `${owner ?? '–'}/${repo ?? '–'}`;
}

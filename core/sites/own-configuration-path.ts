import { sanitizeRef } from '@repoless/contract/names.ts';
import type { TreeNode } from './tree.ts';

/** Its own, else `/conf/<root>/<locale>` below the one that it inherits: `/conf/wknd/ch-de` for `/content/wknd/ch/de`. */
export function ownConfigurationPath({
  path,
  cloudConfiguration: { value, source },
}: Pick<TreeNode, 'path' | 'cloudConfiguration'>): string {
  if (value !== undefined && source.kind === 'page') return value;
  const [, , root = '', ...rest] = path.split('/');
  if (value === undefined || source.kind !== 'inherited') return ['/conf', root, ...joined(rest)].join('/');
  return [value, ...joined(path.slice(source.from.length).split('/'))].join('/');
}

function joined(segments: readonly string[]): string[] {
  const name = sanitizeRef(segments.join('-'));
  return name === '' ? [] : [name];
}

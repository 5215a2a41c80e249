import type { ComponentProps } from 'react';
import type { TreeContext } from '@repoless/core/sites/tree.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useTree } from '../content-tree/use-tree.ts';
import { type StoredStates, useStoredStates } from '../../ui/use-stored-checks.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PlaceFlow } from './PlaceFlow.tsx';

interface Props extends Omit<ComponentProps<typeof PlaceFlow>, 'tree' | 'children'> {
  readonly context: TreeContext;
  readonly kept: StoredStates;
  readonly onBack: () => void;
}

/** The flow for pages of another authoring environment, such as stage or production. */
export function OtherPlace({ context, onBack, kept, ...props }: Props) {
  const { production } = useMessages('sites');
  const { place, sites } = props;
  const tree = useTree(place.ports, context, place.page, useStoredStates(kept, sites, place.author));
  return (
    <PlaceFlow {...props} tree={tree}>
      <Notice tone="info" title={production.now({ author: place.author })} actions={<TextButton onPress={onBack} text={production.back} />}>
        <p>{place.technicalAccount === '' ? production.noAccount : production.account({ account: place.technicalAccount })}</p>
      </Notice>
    </PlaceFlow>
  );
}

import { Button } from '@adobe/react-spectrum/Button';
import type { ComponentProps } from 'react';
import type { TreeContext } from '@repoless/core/sites/tree.ts';
import { useTree } from '../content-tree/use-tree.ts';
import { useStoredStates } from '../../ui/use-stored-checks.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PlaceFlow } from './PlaceFlow.tsx';

interface Props extends Omit<ComponentProps<typeof PlaceFlow>, 'tree' | 'children'> {
  readonly context: TreeContext;
  /** The checks that the service keeps. */
  readonly kept: StoredStates;
  readonly onBack: () => void;
}

/** The flow over the pages of another authoring environment, for stage and production. */
export function OtherPlace({ context, onBack, kept, ...props }: Props) {
  const { production } = useMessages('sites');
  const { place, sites } = props;
  const tree = useTree(place.ports, context, place.page, useStoredStates(kept, sites, place.author));
  return (
    <PlaceFlow {...props} tree={tree}>
      <div className="rp-notice rp-notice-info">
        <div className="rp-notice-body">
          <p className="rp-notice-title">{production.now({ author: place.author })}</p>
          <p>{place.technicalAccount === '' ? production.noAccount : production.account({ account: place.technicalAccount })}</p>
          <div className="rp-actions">
            <Button variant="secondary" onPress={onBack}>
              {production.back}
            </Button>
          </div>
        </div>
      </div>
    </PlaceFlow>
  );
}

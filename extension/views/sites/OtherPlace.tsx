import { Button } from '@adobe/react-spectrum/Button';
import type { ComponentProps } from 'react';
import type { TreeContext } from '#extension/setup/sites/tree.ts';
import { useTree } from '../content-tree/use-tree.ts';
import { useMessages } from '../messages/use-messages.ts';
import { PlaceFlow } from './PlaceFlow.tsx';

interface Props extends Omit<ComponentProps<typeof PlaceFlow>, 'tree' | 'children'> {
  readonly context: TreeContext;
  readonly onBack: () => void;
}

/** The flow over the pages of another authoring environment, for stage and production. */
export function OtherPlace({ context, onBack, ...props }: Props) {
  const { production } = useMessages('sites');
  const { place } = props;
  const tree = useTree(place.ports, context, place.page);
  return (
    <PlaceFlow {...props} tree={tree}>
      <div className="rp-notice rp-notice-info">
        <div className="rp-notice-body">
          <p className="rp-notice-title">{production.now(place.author)}</p>
          <p>{place.technicalAccount === '' ? production.noAccount : production.account(place.technicalAccount)}</p>
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

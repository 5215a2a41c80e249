import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { nearestName } from '@repoless/contract/names.ts';
import { useMessages } from './use-messages.ts';

interface Props {
  readonly name: string;
  readonly isRefused: boolean;
  /** Set for the name of a site in this organization. */
  readonly organization?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onTake: (name: string) => void;
}

/** Offers the nearest valid name; pressing it applies it. */
export function NearestName({ name, isRefused, organization, isDisabled = false, onTake }: Props) {
  const { choices } = useMessages();
  const nearest = nearestName(name, organization);
  if (!isRefused || nearest === '' || nearest === name) return null;
  return (
    <div>
      <ActionButton isDisabled={isDisabled} onPress={() => onTake(nearest)}>
        {choices.takeName({ name: nearest })}
      </ActionButton>
    </div>
  );
}

import { ActionButton, type SpectrumActionButtonProps } from '@adobe/react-spectrum/ActionButton';
import Close from '@spectrum-icons/workflow/Close';

interface Props extends Pick<SpectrumActionButtonProps, 'isDisabled' | 'onPress'> {
  /** What it removes or closes, for assistive technology. */
  readonly label: string;
  /** That of other buttons if absent. */
  readonly size?: 'XS';
}

/** A cross that removes an entry, or closes what it belongs to. */
export function RemoveButton({ label, size, ...props }: Props) {
  return (
    <ActionButton isQuiet aria-label={label} {...props}>
      <Close {...(size === undefined ? {} : { size })} />
    </ActionButton>
  );
}

import { Button, type SpectrumButtonProps } from '@adobe/react-spectrum/Button';
import type { ComponentRef, ReactNode, Ref } from 'react';

interface Props extends Omit<SpectrumButtonProps<'button'>, 'children' | 'variant'> {
  readonly text: ReactNode;
  readonly variant?: 'accent' | 'negative' | 'secondary';
  readonly ref?: Ref<ComponentRef<typeof Button>>;
}

/** A button that is named by its text. Secondary, unless it is the one that the view is for, or something stops working. */
export function TextButton({ text, variant = 'secondary', ...props }: Props) {
  return (
    <Button variant={variant} {...props}>
      {text}
    </Button>
  );
}

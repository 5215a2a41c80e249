import { Button } from '@adobe/react-spectrum/Button';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { useMessages } from './use-messages.ts';
import { Explanation } from './Explanation.tsx';
import { useFocusOnArrival } from './use-focus-on-arrival.ts';

interface Props {
  readonly children: ReactNode;
}

/** The last resort where drawing fails: it says so instead of leaving an empty frame. What the error says is for the console alone. */
export class DrawingGuard extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { broken, reload } = useMessages().general;
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <>
      <h1>{broken.title}</h1>
      <Explanation explained={broken} focus={focus}>
        <Button variant="accent" onPress={() => location.reload()}>
          {reload}
        </Button>
      </Explanation>
    </>
  );
}

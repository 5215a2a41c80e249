import { Button } from '@adobe/react-spectrum/Button';
import { Heading } from '@adobe/react-spectrum/Heading';

interface NoticeProps {
  readonly title: string;
  readonly sentence: string;
  readonly action?: { readonly label: string; onPress(): void };
}

/** An empty or failed state: what happened, and what to do. */
export function Notice({ title, sentence, action }: NoticeProps) {
  return (
    <section className="notice" role="status">
      <Heading level={2}>{title}</Heading>
      <p>{sentence}</p>
      {action !== undefined && (
        <Button variant="secondary" onPress={action.onPress}>
          {action.label}
        </Button>
      )}
    </section>
  );
}

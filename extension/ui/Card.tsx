import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import ArrowLeft from '@spectrum-icons/workflow/ArrowLeft';
import type { ReactNode, Ref } from 'react';
import { useFocusOnArrival } from './focus.ts';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';

interface Props {
  /** The ID of its heading. */
  readonly id: string;
  readonly title: ReactNode;
  readonly level?: 2 | 3 | 4;
  /** The heading receives focus whenever this changes, except to undefined. */
  readonly focusOn?: unknown;
  /** Set if the view itself moves focus to the heading. */
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly className?: string;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

/** A section of a view, named by its heading. */
export function Card(props: Props) {
  const { id, title, level = 2, heading, className = 'rp-card', isBusy, children } = props;
  const arrival = useFocusOnArrival<HTMLHeadingElement>(props.focusOn);
  const Heading = `h${level}` as const;
  const focus = heading !== undefined || 'focusOn' in props ? { tabIndex: -1, ref: heading ?? arrival } : {};
  return (
    <section className={className} aria-labelledby={id} aria-busy={isBusy}>
      <Heading id={id} {...focus}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

/** Leads from a card to what it replaced. */
export function BackButton({ text, onPress }: { readonly text: string; readonly onPress: () => void }) {
  return (
    <ActionButton isQuiet onPress={onPress}>
      <ArrowLeft />
      <Text>{text}</Text>
    </ActionButton>
  );
}

interface FoldProps {
  readonly title: ReactNode;
  /** Added to the title for assistive technology, if several sections have the same title. */
  readonly of?: string;
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A collapsible section: the browser's own disclosure, so that keyboard and search work. */
export function Fold({ title, of, open = false, children }: FoldProps) {
  return (
    <details className="rp-fold" open={open}>
      <summary>
        <ChevronRight size="XS" UNSAFE_className="rp-fold-mark" />
        {title}
        {of !== undefined && <span className="rp-hidden">: {of}</span>}
      </summary>
      <div className="rp-fold-body">{children}</div>
    </details>
  );
}

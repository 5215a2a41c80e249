import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import type { ComponentType, ReactNode, Ref } from 'react';
import { type Explained, explainFailure, fieldSentences, type Sentences } from '@repoless/core/messages/explain-failure.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { TextList } from './Facts.tsx';
import { useMessages } from './use-messages.ts';

interface Props {
  readonly tone: 'positive' | 'info' | 'warning' | 'negative';
  readonly icon?: ComponentType<{ readonly size: 'S'; readonly UNSAFE_className: string }> | undefined;
  readonly role?: 'alert' | 'group' | 'note' | 'region' | 'status';
  /** Its accessible name, for a group or a region. */
  readonly label?: string;
  readonly title?: ReactNode;
  /** Set if focus moves to the notice. */
  readonly focus?: Ref<HTMLDivElement> | undefined;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A message in a box: what happened, what it means, and what to do next. */
export function Notice({ tone, icon: Icon, role, label, title, focus, actions, children }: Props) {
  return (
    <div
      className={`rp-notice rp-notice-${tone}`}
      role={role}
      aria-label={label}
      {...(focus === undefined ? {} : { tabIndex: -1, ref: focus })}
    >
      {Icon !== undefined && <Icon size="S" UNSAFE_className="rp-notice-icon" />}
      <div className="rp-notice-body">
        {title !== undefined && <p className="rp-notice-title">{title}</p>}
        {children}
        {actions !== undefined && <div className="rp-actions">{actions}</div>}
      </div>
    </div>
  );
}

interface ExplanationProps {
  readonly title?: string;
  readonly explained: Explained;
  readonly details?: readonly string[];
  /** Set if focus moves to the explanation when it appears. */
  readonly focus?: Ref<HTMLDivElement>;
  readonly children?: ReactNode;
}

/** An explained failure: what happened, what to do next, and a button for that. */
export function Explanation({ title, explained, details = [], focus, children }: ExplanationProps) {
  return (
    <Notice tone="negative" icon={AlertCircle} role="alert" title={title} focus={focus} actions={children}>
      <p>{explained.sentence}</p>
      {details.length > 0 && <TextList texts={details} />}
      {explained.next !== undefined && <p className="rp-next">{explained.next}</p>}
    </Notice>
  );
}

interface FailureNoticeProps extends Pick<ExplanationProps, 'title' | 'focus' | 'children'> {
  readonly failure: Failure;
  /** Also says which fields were refused. */
  readonly hasFields?: boolean;
  /** Set if the view has its own sentences. */
  readonly messages?: Sentences;
}

/** Why something failed, and what to do. */
export function FailureNotice({ failure, hasFields = false, messages: own, ...notice }: FailureNoticeProps) {
  const general = useMessages();
  const messages = own ?? general;
  return (
    <Explanation {...notice} explained={explainFailure(messages, failure)} details={hasFields ? fieldSentences(messages, failure) : []} />
  );
}

/** A progress circle, and what is being loaded. */
export function Loading({ text }: { readonly text: string }) {
  return (
    <div className="rp-loading" role="status">
      <ProgressCircle isIndeterminate size="M" aria-label={text} />
      <span>{text}</span>
    </div>
  );
}

interface StatusProps {
  readonly as?: 'p' | 'span';
  readonly children: ReactNode;
}

/** A live region with visible text: it stays mounted while it is empty, so that changes are announced. */
export function Status({ as: Element = 'p', children }: StatusProps) {
  return (
    <Element role="status" className="rp-quiet">
      {children}
    </Element>
  );
}

/** An invisible status, for what the view shows in another way. */
export function Announcement({ children }: Pick<StatusProps, 'children'>) {
  return (
    <span role="status" className="rp-hidden">
      {children}
    </span>
  );
}

/** The document's heading while nothing with its own title is on the screen. */
export function HiddenTitle() {
  return <h1 className="rp-hidden">{useMessages().general.product}</h1>;
}

import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { type PendingLeave, useGuarded } from '../../ui/use-guarded.ts';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { optional } from '../../ui/lazy-component.tsx';
import { useGlossary } from '../../ui/use-glossary.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { isUnwelcomed } from '../../host/storage.ts';
import './shell.css';
import { TextButton } from '../../ui/TextButton.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';

/** Loaded lazily: only a first visit needs it. */
const Welcome = optional(async () => (await import('./Welcome.tsx')).Welcome);

interface Props {
  readonly title: string;
  readonly above?: { readonly name: string; /** Absent while leaving would lose something. */ readonly address?: string } | undefined;
  readonly places: readonly PlaceLink[];
  readonly facts: ReactNode;
  /** The state, at the other end of the line. */
  readonly status?: ReactNode;
  /** Shown in front of the place before something there is lost. */
  readonly question?: PendingLeave | undefined;
  readonly children: ReactNode;
}

/** The frame of every view: its location and state, the places to go, and the current one. */
export function Shell({ title, above, places, facts, status, question, children }: Props) {
  const { shell } = useMessages().general;
  const glossary = useGlossary();
  const [isFirstVisit] = useState(isUnwelcomed);
  const heading = useRef<HTMLHeadingElement>(null);
  const current = places.find(({ isCurrent }) => isCurrent)?.name;
  const before = useRef(current);
  useEffect(() => {
    // The focused element was removed together with its place.
    if (before.current !== current && document.activeElement === document.body) heading.current?.focus();
    before.current = current;
  }, [current]);
  return (
    <>
      <header className="rp-header">
        <div className="rp-header-text">
          {above !== undefined && (
            <nav aria-label={shell.above} className="rp-above">
              {above.address === undefined ? above.name : <AddressLink address={above.address}>{above.name}</AddressLink>}
              <span aria-hidden="true"> ›</span>
            </nav>
          )}
          <div className="rp-title-line">
            <h1 tabIndex={-1} ref={heading}>
              {title}
            </h1>
            {glossary.button}
          </div>
          {facts}
        </div>
        {status !== undefined && <div className="rp-header-state">{status}</div>}
      </header>
      {glossary.text}
      <Places places={places} />
      {isFirstVisit && <Welcome />}
      {question !== undefined && (
        <LeaveQuestion
          {...question}
          onStayed={(focused) => {
            if (focused instanceof HTMLElement && focused !== document.body && focused.isConnected) focused.focus();
            else heading.current?.focus();
          }}
        />
      )}
      {children}
    </>
  );
}

export interface PlaceLink {
  readonly name: string;
  readonly count?: { readonly shown: number; readonly label: string } | undefined;
  readonly address: string;
  readonly isCurrent: boolean;
}

function Places({ places }: { readonly places: readonly PlaceLink[] }) {
  const { shell } = useMessages().general;
  return (
    <nav aria-label={shell.places} className="rp-places">
      <ul>
        {places.map(({ name, count, address, isCurrent }) => (
          <li key={name}>
            <AddressLink address={address} current={isCurrent ? 'page' : undefined}>
              {name}
              {count !== undefined && count.shown > 0 && <Count {...count} />}
            </AddressLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ shown, label }: { readonly shown: number; readonly label: string }) {
  return (
    <>
      <span className="rp-places-count" aria-hidden="true">
        {shown}
      </span>
      <span className="rp-hidden"> ({label})</span>
    </>
  );
}

interface LeaveProps extends PendingLeave {
  /** The element that had focus before the question. */
  readonly onStayed: (focused: Element | null) => void;
}

interface QuestionMessages {
  readonly title: string;
  readonly text: string;
  readonly leave: string;
  readonly stay: string;
}

/** Shown before something is lost. Escape means stay. */
function LeaveQuestion({ reason, ...more }: LeaveProps) {
  const { leave } = useMessages().general.shell;
  const [focused] = useState(() => document.activeElement);
  if (reason !== 'saving' && reason !== 'making') return <Question {...more} focused={focused} messages={leave[reason]} />;
  return (
    <Suspense fallback={null}>
      <WhileSending {...more} focused={focused} reason={reason} />
    </Suspense>
  );
}

interface QuestionProps extends Omit<LeaveProps, 'reason'> {
  readonly focused: Element | null;
}

function WhileSending({ reason, ...question }: QuestionProps & { readonly reason: 'saving' | 'making' }) {
  return <Question {...question} messages={useMessages('leaving').leaving[reason]} />;
}

function Question({ messages, focused, onStay, onLeave, onStayed }: QuestionProps & { readonly messages: QuestionMessages }) {
  const question = useFocusOnArrival<HTMLDivElement>(true);
  const stay = (): void => {
    onStay();
    onStayed(focused);
  };
  return (
    <div
      className="rp-notice rp-notice-warning"
      role="alert"
      tabIndex={-1}
      ref={question}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        stay();
      }}
    >
      <div className="rp-notice-body">
        <p className="rp-notice-title">{messages.title}</p>
        <p>{messages.text}</p>
        <div className="rp-actions">
          <TextButton onPress={stay} text={messages.stay} />
          <TextButton variant="negative" style="outline" onPress={onLeave} text={messages.leave} />
        </div>
      </div>
    </div>
  );
}

/** The question for a view without a shell and without other places. */
export function LeaveQuestionWithoutShell() {
  const { question } = useGuarded('', '');
  if (question === undefined) return null;
  return (
    <LeaveQuestion
      {...question}
      onStayed={(focused) => {
        if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
      }}
    />
  );
}

import { type Explained, fieldSentences, serviceAnswer } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, isUncertain, type Known } from '@repoless/core/situation/call.ts';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Explanation, Status } from '../../ui/Notice.tsx';
import { Once } from '../../ui/Once.tsx';
import { Question } from '../../ui/Question.tsx';
import { ReadRefused } from '../../ui/Unread.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { explainHere, Unreadable } from './notices.tsx';
import { SubmitForm } from '../../ui/forms.tsx';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

interface CredentialKind<T, M> {
  readonly open: string;
  readonly done: string;
  /** Announced after one was created. */
  readonly made: (created: M) => string;
  readonly form: (making: Making<T, M>) => ReactNode;
  readonly once: (created: M) => Pick<ComponentProps<typeof Once>, 'title' | 'text' | 'rows'>;
}

interface Props<T, M> {
  readonly id: string;
  readonly level?: 2 | 3;
  readonly messages: {
    readonly title: string;
    readonly text: string;
    readonly reading: string;
    readonly missing: Explained;
    readonly notAllowed: string;
    readonly empty: string;
  };
  /** Stable as long as it reads the same. */
  readonly read: () => Promise<Known<readonly T[]>>;
  /** A line of the list; it calls back with what to announce after its credential was removed. */
  readonly line: (credential: T, onRemoved: (announcement: string) => void) => ReactNode;
  readonly make?: CredentialKind<T, M>;
  readonly isReadOnly?: boolean;
  readonly children?: ReactNode;
}

/** API keys, secrets or tokens: created, shown once, listed, removed. */
export function Credentials<T, M = never>({ id, level = 2, messages, read, line, make, isReadOnly = false, children }: Props<T, M>) {
  const [reading, reload] = useReading(read);
  const [isMaking, setMaking] = useState(false);
  const [created, setCreated] = useState<{ readonly value: M }>();
  const [announcement, setAnnouncement] = useState('');
  /** How often focus returned to the heading. */
  const [returned, setReturned] = useState(0);
  const heading = useFocusOnArrival<HTMLHeadingElement>(returned > 0 ? returned : undefined);
  const Heading = `h${level}` as const;
  const announce = (text: string): void => {
    setAnnouncement(text);
    setReturned((times) => times + 1);
  };
  const finish = (): void => {
    setMaking(false);
    setCreated(undefined);
    announce('');
  };
  const listed = reading.state === 'ready' ? reading.value : [];
  return (
    <section className={level === 2 ? 'rp-card' : 'rp-make-key'} aria-labelledby={id}>
      <Heading id={id} tabIndex={-1} ref={heading}>
        {messages.title}
      </Heading>
      <p className="rp-quiet">{messages.text}</p>
      {reading.state !== 'ready' && (
        <Unreadable
          reading={reading}
          loading={messages.reading}
          missing={messages.missing}
          notAllowed={messages.notAllowed}
          onRetry={reload}
        />
      )}
      {reading.state === 'ready' && reading.failure !== undefined && <ReadRefused failure={reading.failure} onRetry={reload} />}
      {reading.state === 'ready' && listed.length === 0 && <p className="rp-empty">{messages.empty}</p>}
      {listed.length > 0 && (
        <ul className="rp-plain-list" aria-label={messages.title}>
          {listed.map((credential) =>
            line(credential, (text) => {
              announce(text);
              reload();
            }),
          )}
        </ul>
      )}
      {make !== undefined && created !== undefined && (
        <Once level={3} {...make.once(created.value)}>
          <div className="rp-actions">
            <TextButton variant="accent" onPress={finish} text={make.done} />
          </div>
        </Once>
      )}
      {isMaking &&
        make?.form({
          listed,
          onUncertain: reload,
          onCancel: finish,
          onCreated: (value) => {
            setMaking(false);
            setCreated({ value });
            setAnnouncement(make.made(value));
            reload();
          },
        })}
      {make !== undefined && reading.state === 'ready' && !isReadOnly && !isMaking && created === undefined && (
        <div className="rp-actions">
          <TextButton
            onPress={() => {
              setAnnouncement('');
              setMaking(true);
            }}
            text={make.open}
          />
        </div>
      )}
      <Status>{announcement}</Status>
      {children}
    </section>
  );
}

interface LineProps extends Removal {
  readonly name: ReactNode;
  readonly badges: ReactNode;
  readonly isReadOnly?: boolean;
  readonly children: ReactNode;
}

/** A credential by name, never by value, with the button that removes it. */
export function CredentialLine({ name, badges, isReadOnly = false, children, ...removal }: LineProps) {
  const { button, notice } = useRemoval(removal);
  return (
    <li className="rp-key">
      <div className="rp-user-head">
        <div className="rp-key-text">
          <span className="rp-key-name">
            <strong className="rp-value">{name}</strong>
            {badges}
          </span>
          {children}
        </div>
        {!isReadOnly && button}
      </div>
      {notice}
    </li>
  );
}

interface Removal {
  readonly texts: {
    readonly action: string;
    /** The accessible name, which distinguishes the button from others with the same text. */
    readonly actionOf: string;
    readonly title: string;
    readonly text: string;
    readonly now: string;
    readonly keep: string;
    readonly running: string;
    readonly failed: string;
    /** Shown instead of `failed` if it may have been removed nevertheless. */
    readonly uncertain: string;
  };
  readonly remove: () => Promise<Failure | undefined>;
  readonly onRemoved: () => void;
}

type Removing = { readonly state: 'no' | 'requested' | 'running' } | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Removes something permanently: button, question, result. Returns the button, which is absent while the question is shown, and what is
 * shown below it.
 */
function useRemoval({ texts, remove, onRemoved }: Removal): { readonly button: ReactNode; readonly notice: ReactNode } {
  const messages = useMessages();
  const [removing, setRemoving] = useState<Removing>({ state: 'no' });
  const [opener, focusBack] = useFocusBack();
  const failed = useFocusOnArrival<HTMLDivElement>(removing.state === 'failed' ? removing : undefined);
  const go = async (): Promise<void> => {
    setRemoving({ state: 'running' });
    const failure = await remove();
    if (failure === undefined) return onRemoved();
    return setRemoving({ state: 'failed', failure });
  };
  const keep = (): void => {
    setRemoving({ state: 'no' });
    focusBack();
  };
  switch (removing.state) {
    case 'no': {
      const button = (
        <TextButton ref={opener} onPress={() => setRemoving({ state: 'requested' })} aria-label={texts.actionOf} text={texts.action} />
      );
      return { button, notice: null };
    }
    case 'running':
      return { button: null, notice: <p role="status">{texts.running}</p> };
    case 'requested': {
      const { title, text, now, keep: no } = texts;
      return { button: null, notice: <Question title={title} text={text} yes={now} no={no} onYes={() => void go()} onNo={keep} /> };
    }
    case 'failed': {
      const notice = (
        <Explanation
          title={isUncertain(removing.failure) ? texts.uncertain : texts.failed}
          explained={explainHere(messages, removing.failure)}
          focus={failed}
        >
          <TextButton onPress={() => void go()} text={messages.general.retry} />
          <TextButton onPress={keep} text={texts.keep} />
        </Explanation>
      );
      return { button: null, notice };
    }
    default:
      return removing satisfies never;
  }
}

export interface Making<T, M> {
  /** The existing ones. */
  readonly listed: readonly T[];
  /** One may exist although no answer came: the list must be read again. */
  readonly onUncertain: () => void;
  readonly onCreated: (created: M) => void;
  readonly onCancel: () => void;
}

interface FormProps<T, M> extends Making<T, M> {
  readonly messages: {
    readonly makeTitle: string;
    readonly making: string;
    readonly create: string;
    readonly cancel: string;
    readonly failed: string;
    readonly uncertain: { readonly title: string } & Explained;
  };
  readonly isEntered: boolean;
  /** Creates it; undefined while the input is invalid. */
  readonly make: () => Promise<Known<M>> | undefined;
  /** Whether a field already shows why it was refused. */
  readonly isShown?: (failure: Failure) => boolean;
  /** The names of what is new in the list. */
  readonly appeared: (before: readonly T[]) => readonly string[];
  readonly children: ReactNode;
}

type Creation<T> =
  | { readonly state: 'no' | 'making' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'uncertain'; readonly failure: Failure; readonly before: readonly T[] };

/** The form for a new credential whose value the service generates. */
export function MakeCredential<T, M>(props: FormProps<T, M>) {
  const { messages: texts, isEntered, make, isShown = () => false, appeared, children, listed, onUncertain, onCreated, onCancel } = props;
  const messages = useMessages();
  const [making, setMaking] = useState<Creation<T>>({ state: 'no' });
  const isMaking = making.state === 'making';
  useUnsavedEntry(isMaking || isEntered, 'place', isMaking ? 'making' : 'unsaved');
  const heading = useFocusOnArrival<HTMLHeadingElement>(true);
  const failed = useFocusOnArrival<HTMLDivElement>('failure' in making ? making : undefined);
  const submit = async (): Promise<void> => {
    if (isMaking) return undefined;
    const creating = make();
    if (creating === undefined) return undefined;
    setMaking({ state: 'making' });
    const answer = await creating;
    if (answer.state === 'known') return onCreated(answer.value);
    const failure = failureOf(answer);
    if (!isUncertain(failure)) return setMaking(isShown(failure) ? { state: 'no' } : { state: 'failed', failure });
    setMaking({ state: 'uncertain', failure, before: listed });
    return onUncertain();
  };
  return (
    <div className="rp-make-key">
      <h3 tabIndex={-1} ref={heading}>
        {texts.makeTitle}
      </h3>
      <SubmitForm isDisabled={isMaking} onSubmit={submit}>
        {children}
        <div className="rp-actions">
          <TextButton variant="accent" type="submit" isDisabled={isMaking} text={isMaking ? texts.making : texts.create} />
          <TextButton isDisabled={isMaking} onPress={onCancel} text={texts.cancel} />
        </div>
      </SubmitForm>
      {making.state === 'failed' && (
        <Explanation
          title={texts.failed}
          explained={explainHere(messages, making.failure)}
          details={fieldSentences(messages, making.failure)}
          focus={failed}
        />
      )}
      {making.state === 'uncertain' && (
        <Explanation
          title={texts.uncertain.title}
          explained={{ ...texts.uncertain, sentence: serviceAnswer(messages, making.failure) ?? texts.uncertain.sentence }}
          details={appeared(making.before)}
          focus={failed}
        />
      )}
    </div>
  );
}

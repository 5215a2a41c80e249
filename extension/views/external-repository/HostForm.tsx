import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import { HostInput } from '#contract/build-management.ts';
import type { HostedAccess } from '#contract/build-management.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import { failureOf } from '#extension/setup/failure-of.ts';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useHeldEntry } from '../leaving/use-held-entry.ts';
import { useMessages } from '../messages/use-messages.ts';
import { hostedRows } from './hosted-rows.ts';
import { Once } from './Once.tsx';
import { WriteFailed } from './WriteFailed.tsx';

interface Props {
  /** That of the author at hand; empty where its address names none. */
  readonly program: string;
  readonly host: (input: HostInput) => Promise<Known<HostedAccess>>;
  /** In: the number of the repository, once its access token was seen. */
  readonly onDone: (repository: string) => void;
  readonly onCancel: () => void;
}

type Sending = { readonly state: 'no' | 'yes' } | { readonly state: 'made'; readonly access: HostedAccess } | FailedToHost;
interface FailedToHost {
  readonly state: 'failed';
  readonly failure: Failure;
}

/** Names a repository that build management hosts, and shows its access token once. */
export function HostForm({ program, host, onDone, onCancel }: Props) {
  const { hosted: messages, onboard, lost } = useMessages('sync').external;
  const [input, setInput] = useState({ name: '', programId: program });
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState<Sending>({ state: 'no' });
  const focus = useFocusOnArrival<HTMLHeadingElement>(messages.title);
  const isMade = sending.state === 'yes' || sending.state === 'made';
  useHeldEntry(sending.state === 'yes', 'place', 'making');
  useHeldEntry(!isMade && (input.name !== '' || input.programId !== program));
  const parsed = HostInput.safeParse(input);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (!parsed.success) return;
    setSending({ state: 'yes' });
    const made = await host(parsed.data);
    if (made.state === 'known') setSending({ state: 'made', access: made.value });
    else setSending({ state: 'failed', failure: failureOf(made) });
  };
  const field = (name: keyof typeof input, label: string, help: string) => {
    const problem = tried ? parsed.error?.issues.find(({ path }) => path[0] === name)?.message : undefined;
    return (
      <TextField
        label={label}
        description={help}
        value={input[name]}
        onChange={(value) => setInput({ ...input, [name]: value.trim() })}
        width="100%"
        autoComplete="off"
        spellCheck="false"
        {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
      />
    );
  };
  return (
    <section className="rp-card" aria-labelledby="rp-host">
      <h2 id="rp-host" tabIndex={-1} ref={focus}>
        {messages.title}
      </h2>
      <p className="rp-quiet">{messages.text}</p>
      {sending.state === 'made' ? (
        <Once level={3} title={messages.onceTitle} text={messages.onceText} rows={hostedRows(messages, sending.access)}>
          <div className="rp-actions">
            <Button variant="secondary" onPress={() => onDone(sending.access.repository.repositoryId)}>
              {messages.done}
            </Button>
          </div>
        </Once>
      ) : (
        <Form
          isDisabled={sending.state === 'yes'}
          validationBehavior="aria"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          {field('name', messages.name, messages.nameHelp)}
          {field('programId', onboard.program, onboard.programHelp)}
          <div className="rp-actions">
            <Button variant="accent" type="submit" isDisabled={sending.state === 'yes'}>
              {messages.submit}
            </Button>
            <Button variant="secondary" isDisabled={sending.state === 'yes'} onPress={onCancel}>
              {messages.cancel}
            </Button>
          </div>
        </Form>
      )}
      <p role="status" className="rp-quiet">
        {sending.state === 'yes' && messages.submitting}
      </p>
      {sending.state === 'failed' && <WriteFailed failure={sending.failure} lost={lost.host} />}
    </section>
  );
}

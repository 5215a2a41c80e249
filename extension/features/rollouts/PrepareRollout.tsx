import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import { TextField } from '@adobe/react-spectrum/TextField';
import { ALL_SITES, type RolloutInput, type RolloutPreview, type Wave } from '@repoless/contract/rollout.ts';
import { type Explained, explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { type RolloutsPort, startRollout } from '@repoless/core/rollouts/rollouts-port.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import { type ReactNode, use, useRef, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Explanation, Status } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { SubmitForm, invalid } from '../../ui/forms.tsx';
import { RolloutsContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsMounted } from '../../ui/use-reading.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { withLabels } from './field-labels.ts';
import { Preview } from './Preview.tsx';

export type RolloutChange = Pick<RolloutInput, 'edits' | 'sites' | 'profile' | 'config'>;

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  /** Undefined while a field is invalid. */
  readonly change: RolloutChange | undefined;
  /** The fields of the change have input. */
  readonly isEntered: boolean;
  /** The etag of the profile that was read. */
  readonly etag?: string;
  /** The labels of the single edits, by which refusals name them. */
  readonly editLabels?: readonly string[];
  /** The fields of the change, above the title. */
  readonly children: ReactNode;
  /** The person wants to continue: errors of fields are shown from now on. */
  readonly onTry: () => void;
  readonly onCancel: () => void;
  readonly onStarted: (id: string) => void;
}

const STEPS: Wave[] = [1, '10%', ALL_SITES];
const TITLE_LENGTH = 200;

/** Title and waves of a rollout, its preview on every site, and then the start of exactly what was previewed. */
export function PrepareRollout({ port, organization, change, isEntered, etag, editLabels, children, onTry, onCancel, onStarted }: Props) {
  const messages = useMessages('rollouts');
  const { form } = messages.rollouts;
  const [title, setTitle] = useState('');
  const [inSteps, setInSteps] = useState(true);
  const [tried, setTried] = useState(false);
  const { previewing, preview: previewSites, start } = usePreview(port, organization, etag, onStarted);
  const rollouts = use(RolloutsContext);
  const failed = useFocusOnArrival<HTMLDivElement>(
    previewing.state === 'failed' || previewing.state === 'unknown' ? previewing : undefined,
  );
  const name = title.trim();
  useUnsavedEntry(isEntered || name !== '', 'view', previewing.state === 'starting' ? 'saving' : 'unsaved');
  const input: RolloutInput | undefined =
    change === undefined || name === '' ? undefined : { ...change, title: name, ...(inSteps ? { waves: STEPS } : {}) };
  const isBusy = previewing.state === 'running' || previewing.state === 'starting';
  const ready = previewing.state === 'ready' ? previewing.preview : undefined;
  const isCurrent = previewing.state === 'ready' && input !== undefined && inputKey(input) === previewing.of;
  const changed = ready?.sites.filter(({ state }) => state === 'changed').length ?? 0;
  // A profile change that affects no site still changes the profile.
  const isDue = isCurrent && (changed > 0 || change?.profile !== undefined);
  const consequences = (isCurrent ? ready?.consequences : undefined) ?? [];
  const confirmation = useConfirmation(consequences);
  const mayStart = isDue && confirmation.isConfirmed;
  const labelled = ({ problem, ...failure }: Failure): Failure =>
    problem === undefined ? failure : { ...failure, problem: withLabels(messages.rollouts, problem, editLabels) };
  const preview = (): void => {
    onTry();
    setTried(true);
    if (input !== undefined && !isBusy) void previewSites(input);
  };
  return (
    <SubmitForm isDisabled={previewing.state === 'starting'} onSubmit={preview}>
      {children}
      <TextField
        label={form.name}
        description={form.nameHelp}
        value={title}
        onChange={setTitle}
        maxLength={TITLE_LENGTH}
        width="100%"
        autoComplete="off"
        isRequired
        validationBehavior="aria"
        {...invalid(tried && name === '' ? form.needed : undefined)}
      />
      <RadioGroup
        label={form.waves}
        description={form.wavesHelp}
        value={inSteps ? 'steps' : 'once'}
        onChange={(value) => setInSteps(value === 'steps')}
      >
        <Radio value="steps">{form.steps}</Radio>
        <Radio value="once">{form.once}</Radio>
      </RadioGroup>
      {previewing.state === 'failed' && (
        <Explanation
          title={previewing.during === 'preview' ? form.previewFailed : form.startFailed}
          explained={explained(messages, labelled(previewing.failure))}
          details={fieldSentences(messages, labelled(previewing.failure))}
          focus={failed}
        />
      )}
      {previewing.state === 'unknown' && (
        <Explanation
          title={form.startUnknown}
          explained={{ ...explained(messages, labelled(previewing.failure)), next: form.startUnknownNext }}
          focus={failed}
        >
          {rollouts !== undefined && <TextButton onPress={rollouts.list} text={messages.rollouts.all} />}
        </Explanation>
      )}
      {ready !== undefined && isCurrent && (
        <Preview preview={ready} isProfile={change?.profile !== undefined}>
          <Consequences consequences={consequences} confirmation={confirmation} />
        </Preview>
      )}
      <div className="rp-stack-tight">
        <Status>
          {hint({ form, isWrong: tried && input === undefined, state: previewing.state, isCurrent, isDue, confirm: confirmation.hint })}
        </Status>
        <div className="rp-actions">
          <TextButton
            variant={isDue ? 'secondary' : 'accent'}
            type="submit"
            isDisabled={isBusy}
            text={ready === undefined ? form.preview : form.previewAgain}
          />
          <TextButton
            variant={confirmation.isNeeded ? 'negative' : 'accent'}
            isDisabled={!mayStart}
            onPress={() => input !== undefined && void start(input)}
            text={isCurrent ? form.start({ count: changed }) : form.startFirst}
          />
          <TextButton onPress={onCancel} text={form.cancel} />
        </div>
      </div>
    </SubmitForm>
  );
}

/** The next steps of setup do not fit here. */
function explained(messages: ReturnType<typeof useMessages<'rollouts'>>, failure: Failure): Explained {
  const { problems, overtaken } = messages.rollouts.form;
  const general = explainFailure(messages, failure);
  switch (failure.problem?.code) {
    case 'BODY_INVALID':
      return { ...general, next: problems.BODY_INVALID };
    case 'PRECONDITION_FAILED':
      return { sentence: overtaken, next: problems.PRECONDITION_FAILED };
    default:
      return general;
  }
}

interface Hinted {
  readonly form: ReturnType<typeof useMessages<'rollouts'>>['rollouts']['form'];
  readonly isWrong: boolean;
  readonly state: ReturnType<typeof usePreview>['previewing']['state'];
  readonly isCurrent: boolean;
  readonly isDue: boolean;
  readonly confirm: string;
}

function hint({ form, isWrong, state, isCurrent, isDue, confirm }: Hinted): string {
  if (state === 'running') return form.previewing;
  if (state === 'starting') return form.starting;
  if (isWrong) return form.incomplete;
  if (state !== 'ready') return form.first;
  if (!isCurrent) return form.outdated;
  return isDue ? confirm : form.nothing;
}

/** `of`: the previewed input. Other input has no preview yet. */
type Previewing =
  | { readonly state: 'none' }
  | { readonly state: 'running' | 'starting'; readonly of: string }
  | { readonly state: 'failed'; readonly of: string; readonly failure: Failure; readonly during: 'preview' | 'start' }
  /** It may have been started: no answer came. */
  | { readonly state: 'unknown'; readonly of: string; readonly failure: Failure }
  | { readonly state: 'ready'; readonly of: string; readonly preview: RolloutPreview };

interface Previewer {
  readonly previewing: Previewing;
  /** Previews it on every site, without changing any. */
  preview(input: RolloutInput): Promise<void>;
  start(input: RolloutInput): Promise<void>;
}

/** The preview of a rollout, and its start. `etag`: of the profile that was read. */
export function usePreview(port: RolloutsPort, org: string, etag: string | undefined, onStarted: (id: string) => void): Previewer {
  const [previewing, setPreviewing] = useState<Previewing>({ state: 'none' });
  const latest = useRef(0);
  const isHere = useIsMounted();
  return {
    previewing,
    async preview(input) {
      const of = inputKey(input);
      const mine = ++latest.current;
      setPreviewing({ state: 'running', of });
      const answer = await port.preview(org, input);
      if (mine !== latest.current) return;
      if (answer.state === 'known') setPreviewing({ state: 'ready', of, preview: answer.value });
      else setPreviewing({ state: 'failed', of, failure: failureOf(answer), during: 'preview' });
    },
    async start(input) {
      const of = inputKey(input);
      latest.current++;
      setPreviewing({ state: 'starting', of });
      const reviewed = previewing.state === 'ready' ? reviewedVersions(previewing.preview) : {};
      const start = await startRollout(port, org, { ...input, ...reviewed }, etag);
      if (!isHere()) return;
      if (start.state === 'started') onStarted(start.id);
      else if (start.state === 'unknown') setPreviewing({ state: 'unknown', of, failure: start.failure });
      else setPreviewing({ state: 'failed', of, failure: start.failure, during: 'start' });
    },
  };
}

/** The previewed versions by site name; nothing if the service does not report them. */
function reviewedVersions({ sites }: RolloutPreview): Pick<RolloutInput, 'reviewed'> {
  const versions = sites.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version] as const]));
  return versions.length === 0 ? {} : { reviewed: Object.fromEntries(versions) };
}

/** Inputs with the same key have the same effect. */
function inputKey(input: RolloutInput): string {
  return JSON.stringify(input);
}

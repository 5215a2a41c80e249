import { Mapping } from '@repoless/contract/mappings.ts';
import { SiteName } from '@repoless/contract/names.ts';
import { type CloneProblem, type CloneTarget, createClone, type TriedClone, tryClone } from '@repoless/core/clone/clone-site.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { explainSentence } from '@repoless/core/messages/explain-row.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/situation/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { type Ref, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { firstIssue, labelProblem } from '../page-properties/choice-problems.ts';
import { Card } from '../../ui/Card.tsx';
import { NearestName, SubmitForm, TextInput } from '../../ui/forms.tsx';
import { Explanation, Status } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsMounted } from '../../ui/use-reading.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

interface Props {
  readonly site: OrganizationSite;
  readonly organization: string;
  readonly service: ServicePort;
  /** Of the author of the site's content. */
  readonly authoring: Pick<AuthoringPort, 'content'>;
  /** `isOpen`: the person is still at this site. */
  readonly onCreated: (siteName: string, isOpen: boolean) => void;
  readonly onCancel: () => void;
}

/**
 * Creates a new site from the stored configuration of another one: asks for what must differ, sends a dry run, shows the difference,
 * creates it.
 */
export function CloneSite(props: Props) {
  const { site, organization, onCreated, onCancel } = props;
  const messages = useMessages('sites');
  const { clone: texts, plan } = messages;
  const [input, setInput] = useState({ siteName: '', contentRoot: '' });
  const [isSubmitted, setSubmitted] = useState(false);
  const isHere = useIsMounted();
  const { cloning, attempt, create, open: openForm } = useClone(props);
  const isEntered = input.siteName !== '' || input.contentRoot !== '';
  useUnsavedEntry(isEntered, 'view', cloning.state === 'creating' ? 'saving' : 'unsaved');
  const review = useFocusOnArrival<HTMLHeadingElement>(cloning.state === 'ready' ? cloning.clone : undefined);
  const isBusy = cloning.state === 'trying' || cloning.state === 'creating';
  const target = { organization, siteName: input.siteName, contentRoot: input.contentRoot.replace(/\/+$/, '') };
  const own = cloneFieldProblems(messages, target, site.contentRoot);
  const found = cloning.state === 'blocked' ? cloning.problems : [];
  const problemAt = (field: 'siteName' | 'contentRoot') => {
    const message = found.find((problem) => problem.field === field)?.message;
    const refused =
      message?.kind === 'sentence'
        ? explainSentence(messages, message)
        : message === undefined || message.kind === 'failure'
          ? undefined
          : texts.problems[message.kind];
    return (isSubmitted ? own[field] : undefined) ?? refused;
  };
  const change = (changed: Partial<typeof input>): void => {
    setInput({ ...input, ...changed });
    if (!isBusy) openForm();
  };
  const submit = (): void => {
    setSubmitted(true);
    if (own.siteName === undefined && own.contentRoot === undefined) void attempt(target);
  };
  return (
    <Card id="rp-clone" title={texts.title({ site: site.name })} focusOn={site.name} isBusy={isBusy}>
      <p>{texts.text}</p>
      <CloneLists />
      <SubmitForm validationBehavior="aria" onSubmit={submit}>
        <TextInput
          label={texts.siteName}
          value={input.siteName}
          onChange={(siteName) => change({ siteName: siteName.trim() })}
          isReadOnly={isBusy}
          problem={problemAt('siteName')}
        />
        <NearestName
          name={input.siteName}
          isRefused={isSubmitted && own.siteName !== undefined}
          organization={target.organization}
          onTake={(siteName) => change({ siteName })}
        />
        <TextInput
          label={texts.contentRoot}
          description={texts.contentRootHelp}
          value={input.contentRoot}
          onChange={(contentRoot) => change({ contentRoot: contentRoot.trim() })}
          isReadOnly={isBusy}
          problem={problemAt('contentRoot')}
        />
        <div className="rp-actions">
          <TextButton variant={cloning.state === 'ready' ? 'secondary' : 'accent'} type="submit" isDisabled={isBusy} text={texts.review} />
          <TextButton onPress={onCancel} isDisabled={cloning.state === 'creating'} text={texts.cancel} />
        </div>
      </SubmitForm>
      <Status>
        {cloning.state === 'trying' ? texts.trying : cloning.state === 'creating' ? texts.creating({ site: target.siteName }) : ''}
      </Status>
      {cloning.state === 'blocked' && <CloneBlocked problems={found} after={cloning.after} />}
      {(cloning.state === 'ready' || cloning.state === 'creating') && (
        <>
          <CloneReview source={site.name} clone={cloning.clone} heading={review} />
          {cloning.clone.untried !== undefined && <p className="rp-quiet">{plan.untried}</p>}
          <div className="rp-actions">
            <TextButton
              variant="accent"
              isDisabled={isBusy}
              onPress={() => void create(cloning.clone, target).then((isCreated) => isCreated && onCreated(target.siteName, isHere()))}
              text={texts.create({ site: target.siteName })}
            />
          </div>
        </>
      )}
    </Card>
  );
}

/** The errors in the name and content root of a clone, before the service is called. Takes the source's content root. */
function cloneFieldProblems(
  all: Messages & Pick<MessagesOf<'sites'>, 'clone'>,
  { organization, siteName, contentRoot }: CloneTarget,
  sourceRoot: string | undefined,
): { readonly siteName?: string | undefined; readonly contentRoot?: string | undefined } {
  const { clone: messages } = all;
  const root = firstIssue(all, Mapping, `${contentRoot}/:/`);
  return {
    siteName: firstIssue(all, SiteName, siteName) ?? labelProblem(all, siteName, organization),
    contentRoot:
      root ?? (contentRoot === '' ? messages.problems['page-missing'] : contentRoot === sourceRoot ? messages.sameRoot : undefined),
  };
}

function CloneLists() {
  const { clone: texts } = useMessages('sites');
  const lists = [
    [texts.taken, texts.takenList],
    [texts.left, texts.leftList],
  ] as const;
  return lists.map(([title, lines]) => (
    <div key={title}>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  ));
}

function CloneReview(props: { readonly source: string; readonly clone: TriedClone; readonly heading: Ref<HTMLHeadingElement> }) {
  const { source, clone, heading } = props;
  const { clone: texts } = useMessages('sites');
  return (
    <>
      <h3 tabIndex={-1} ref={heading}>
        {texts.differences({ site: source })}
      </h3>
      <ChangeList changes={clone.differences} label={texts.differences({ site: source })} />
      {clone.leftOut.map((name) => (
        <p key={name} className="rp-quiet">
          {texts.leftOut[name]}
        </p>
      ))}
    </>
  );
}

function CloneBlocked({ problems, after }: { readonly problems: readonly CloneProblem[]; readonly after: CloneBlock }) {
  const messages = useMessages('sites');
  const { clone: texts } = messages;
  const whole = problems.flatMap(({ field, message }) => (field === 'whole' ? [message] : []));
  const [first, ...others] = whole.map((message) => {
    if (message.kind === 'sentence') return { sentence: explainSentence(messages, message) };
    return message.kind === 'failure' ? explainFailure(messages, message.failure) : { sentence: texts.problems[message.kind] };
  });
  if (first === undefined) return null;
  const titles = { try: texts.failed, create: texts.notCreated, lost: texts.maybeCreated };
  const explained = after === 'lost' ? { sentence: first.sentence, next: texts.maybeNext } : first;
  return <Explanation title={titles[after]} explained={explained} details={others.map(({ sentence }) => sentence)} />;
}

/** What was refused. `lost`: it may have been created. */
type CloneBlock = 'try' | 'create' | 'lost';

type CloneState =
  | { readonly state: 'asking' | 'trying' }
  | { readonly state: 'blocked'; readonly problems: readonly CloneProblem[]; readonly after: CloneBlock }
  | { readonly state: 'ready' | 'creating'; readonly clone: TriedClone };

function useClone({ service, authoring, site }: Pick<Props, 'service' | 'authoring' | 'site'>) {
  const [cloning, setCloning] = useState<CloneState>({ state: 'asking' });
  return {
    cloning,
    /** The input has changed since the dry run. */
    open: (): void => setCloning({ state: 'asking' }),
    attempt: async (target: CloneTarget): Promise<void> => {
      setCloning({ state: 'trying' });
      const tried = await tryClone({ service, authoring }, site.name, target);
      setCloning(tried.state === 'ready' ? tried : { ...tried, after: 'try' });
    },
    create: async (clone: TriedClone, target: CloneTarget): Promise<boolean> => {
      setCloning({ state: 'creating', clone });
      const end = await createClone(service, clone, target);
      if (end.state === 'created') return true;
      setCloning({ state: 'blocked', problems: end.problems, after: end.state === 'lost' ? 'lost' : 'create' });
      return false;
    },
  };
}
